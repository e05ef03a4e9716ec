#!/usr/bin/env bash
# Runs the tests for faults of stores and servers, and prints a table that says which faults the product withstands.
#
#   scripts/faults.sh          starts the stores that the tests need, runs all rows, and stops the stores
#   scripts/faults.sh WORDS    runs only the rows that contain these words
#
#   --kills N          how often servers are killed under load (default 50)
#   --timeout TIME     how long the tests of one package may take (default 20m)
#   --measure REGEX    then runs scripts/bench-full.sh --only REGEX to measure the goals that match; "." measures all,
#                      which takes an hour
#
# A row has the form: fault | package | test. The tests of store/elastic and store/proof need the servers that
# scripts/stores.sh starts. If the variables that stores.sh sets are already set, faults.sh starts no servers. It exits
# with 1 if a row or a goal failed.
set -euo pipefail
cd "$(dirname "$0")/.."

kills=50 timeout=20m measure=
while [ $# -gt 0 ]; do
  case $1 in
  --kills) kills=${2?--kills needs a number}; shift 2 ;;
  --timeout) timeout=${2?--timeout needs a time, such as 40m}; shift 2 ;;
  --measure) measure=${2?--measure needs an expression}; shift 2 ;;
  -*) echo "faults.sh: there is no option $1" >&2; exit 2 ;;
  *) break ;;
  esac
done

rows() {
  grep -v '^ *\(#\|$\)' <<'ROWS'
# An empty or outdated store is not mistaken for a complete one
Elasticsearch: a lost index is not made anew            | store/elastic    | TestALostIndexIsNotMadeAgain
Elasticsearch: readers create no index                  | store/elastic    | TestReadersOfAClusterWithoutIndicesCreateNone
Elasticsearch: an interrupted creation continues        | store/elastic    | TestAnInterruptedCreationOfTheIndicesContinues
Elasticsearch: an empty index in place of a lost one    | store/elastic    | TestAnEmptyIndexInThePlaceOfALostOneIsNotUsed
Elasticsearch: partial restore, a new process           | store/elastic    | TestAnIndexThatIsOlderThanTheOthersIsNotUsed
Elasticsearch: partial restore, the same process        | store/elastic    | TestTheProcessThatWroteTheNewerDocumentsStopsWriting
Elasticsearch: an index is lost under a running server  | store/elastic    | TestALossIsNoticedWhileTheStoreIsOpen
Elasticsearch: an index is replaced while it is in use  | store/elastic    | TestAReplacedIndexIsNoticedWhileTheStoreIsOpen
Elasticsearch: after a 409, documents are compared      | store/elastic    | TestAChangeThatFindsAnotherDocumentInItsPlaceIsNotAcknowledged
Elasticsearch: a full disk is named                     | store/elastic    | TestAFullServerIsReadOnly
Elasticsearch: a disk that fills during a change        | store/elastic    | TestAChangeThatAFullServerDidNotCompleteIsNotCalledUnchanged
Elasticsearch: a cluster without a master               | store/elastic    | TestAClusterWithoutAMasterIsUnavailableAndNotReadOnly
Elasticsearch: an old answer of a node that is cut off  | store/elastic    | TestANodeThatAnswersWithAnOldJournalHidesNoChangeFromItsWriter
Elasticsearch: searches of a node that is cut off       | store/elastic    | TestANodeThatIsCutOffHidesNothingFromItsWriter
Elasticsearch: an old copy of the audit                 | store/elastic    | TestANodeWithAnOldCopyOfTheAuditHidesNoEntries
SQLite: online restore keeps tenants apart              | store/sqlite     | TestTenantsStaySeparateAfterABackupIsRestoredIntoTheOpenFile
SQLite: a moved or replaced file is not used            | store/sqlite     | TestARemovedOrReplacedFileIsNotUsed
SQLite: a file that was read-only is changed again      | store/sqlite     | TestAReadOnlyFileRefusesChangesUntilItIsWritable
SQLite: a read-only disk is named                       | store/sqlite     | TestAReadOnlyDiskIsAnErrorThatSaysSo
SQLite: a disk that is read-only at the start recovers  | store/sqlite     | TestADiskThatIsReadOnlyAtTheStartIsUsedAsSoonAsItIsWritable
SQLite: a full disk loses nothing and recovers          | store/sqlite     | TestAFullDiskLosesNothingAndIsUsedAgainWhenItHasSpace
last known good: saved by every reread                  | service          | TestEveryRereadSavesTheLastKnownGoodGuidelines
last known good: held in memory                         | service          | TestWhatIsInMemoryHoldsWhileNothingCanBeSaved
last known good: the newest that any process saw        | service          | TestTheNewestGuidelinesThatAnyProcessSawApply
last known good: says how old and how many              | service          | TestTheAnswerSaysHowOldAndHowManyTheLastKnownGuidelinesAre
last known good: says what another process has seen     | service          | TestTheAnswerSaysWhatTheLastKnownGuidelinesLack
last known good: more than 8 MiB                        | service          | TestManyGuidelinesAreKnown
last known good: an empty one is not good               | service          | TestWithoutGuidelinesNothingIsKnownGood
last known good: for callers of other tenants           | service          | TestACallerOfAnotherTenantGetsItsLastKnownGuidelines
an older or another store is an outage                  | service          | TestAnOlderOrAnotherStoreIsAnOutageUntilItIsAccepted
an older or another store is not changed                | service          | TestAStoreThatLacksChangesIsNotChangedUntilItIsAccepted
a store that lost only decisions is named and not used  | service          | TestAStoreThatLacksDecisionsIsNamedUntilItIsAccepted
a lost database is not made anew                        | service          | TestALostStoreIsNotMadeAnewUntilItIsAccepted
a clock that is ahead deletes nothing                   | service          | TestAClockThatIsAheadDeletesNothing
a clock that is behind the newest entry is named        | service          | TestAClockThatIsBehindTheNewestEntryIsNamed
a clock that was set ahead deletes nothing              | service          | TestAClockThatWasSetAheadDeletesNothing
a clock that is ahead removes no waiting records        | internal/spool/intake | TestRecordsStayWhileTheirStoreIsUnavailable
records of a store that was lost are not given up       | service          | TestRecordsAreGivenUpOnlyIfThereWasNeverAStore
records without a store are counted when given up       | internal/spool/intake | TestRecordsWithoutAStoreAreGivenUpAfterThirtyDaysAndCounted
SQLite: a clock that is set ahead is named until right  | service/storefault | TestAClockThatIsSetAheadIsNamedUntilItIsRight
SQLite: a clock that is set back is named               | service/storefault | TestAClockThatIsSetBackIsNamed
SQLite: a clock that is right again is not named        | service/storefault | TestAClockThatIsRightAgainIsNotNamed
a clock that is set ahead: readyz                       | server           | TestAServerWhoseClockIsSetAheadIsReadyAndNamesTheFault
Elasticsearch: a clock that is ahead or behind is named | service/storefault | TestTheClockIsComparedWithTheClockOfTheStore
Elasticsearch: its time is compared with the clock      | store/elastic    | TestTheTimeOfTheServersIsKnown
a fault of another tenant: readyz, log, 503             | server           | TestAFaultOfAnotherTenantIsNamed
a fault of another tenant: no place is shown            | service          | TestACallerWhoMustNotLearnThePlaceLearnsTheFault
older, lost, full and clock are different faults        | service          | TestFaultsHaveNames
readyz and store_up say that nothing can be written     | server           | TestAServerWhoseStoreCannotBeChangedIsDegradedUntilItCan
a token is the actor of the decisions that it logs      | server           | TestTheTokenIsTheActorOfADecisionAndWhatTheCallerClaimsIsContext
a token logs no decision of an unknown guideline        | server           | TestATokenCannotLogADecisionOfAnUnknownGuidelineDuringAnOutage
tampering with SQLite: every way                        | store/notedheads | TestVerifyNoticesEveryAlterationOfTheDatabase
tampering with SQLite: which entry                      | store/sqlite     | TestVerifyFindsTheDamagedEntry
tampering with SQLite: a verification that continues    | store/sqlite     | TestAVerificationThatContinuesFindsWhatWasAltered
tampering with an old entry is found after a while      | store/notedheads | TestAVerificationContinuesWhereTheLastOneEnded
tampering with the record of the last verification      | store/notedheads | TestAPointThatSomebodyAlteredDoesNotCount
tampering with Elasticsearch: every way, documents      | store/elastic    | TestVerifyNoticesEveryAlterationOfTheDocuments
tampering with Elasticsearch: every way, indices        | store/elastic    | TestVerifyNoticesEveryAlterationOfTheIndices
tampering with Elasticsearch: which entry               | store/elastic    | TestVerifyFindsDamageInTheIndices
tampering with the noted heads                          | store/notedheads | TestAlteredNotesAreNoticed
SQLite and Elasticsearch give the same answers          | store/proof      | TestBothDriversGiveTheSameAnswersToRandomSteps
a loss under a running server: hook, readyz, doctor     | store/proof      | TestALossUnderARunningServerIsNamedAndChangesNoDecision
a lost index under a running server: hook, readyz       | store/proof      | TestALostIndexUnderARunningServerIsNamedAndChangesNoDecision
SQLite: the file shrinks after a pruning                | store/sqlite     | TestTheFileShrinksAfterAPruning
Elasticsearch: a lost segment is found                  | store/elastic    | TestALostSegmentIsFoundByVerificationAndWhenTheStoreIsOpened
Elasticsearch: a split or join that was interrupted     | store/elastic    | TestAnInterruptedSplitOrJoinLosesNothing
Elasticsearch: a split while programs write             | store/elastic    | TestAnAuditIsSplitWhileProgramsWrite
Elasticsearch: a certificate of another CA is refused   | store/elastic    | TestACertificateMustBeSignedByTheCA
a verification that is interrupted continues            | store/notedheads | TestAVerificationThatIsInterruptedContinues
damage is found in every slice of a verification        | store/notedheads | TestDamageIsFoundInEverySlice
a verification reads every decision within two rounds   | store/notedheads | TestEveryDecisionIsReadAgainWithinTwoRounds
heads over REST                                         | server           | TestTheServerNotesHeadsAndVerifiesAgainstThem
heads on the command line: a cut tail                   | cli/store        | TestVerifyNoticesACutTailWithoutAFileOfHeads
heads on the command line: heads kept elsewhere         | cli/store        | TestHeadsThatWereKeptElsewhereAreCompared
roles over REST                                         | server/rest      | TestEachRouteNeedsItsRole
roles over MCP                                          | server/mcp       | TestEachToolNeedsItsRole
tenants see nothing of each other                       | server           | TestATenantSeesNothingOfAnotherOverAnyTransport
the port checks token, Host and Origin                  | server           | TestThePortRequiresATokenAndAKnownHost
health refuses web pages                                | server           | TestHealthNeedsNoTokenButRefusesWebPages
the page refuses other pages and hosts                  | server           | TestThePageNeedsNoTokenAndRefusesOtherPagesAndHosts
# Invalid requests, unsafe files, and other users and their processes do no harm
a request that hides a second one                       | server           | TestNothingIsReadAfterARequestWhoseLengthIsNotClear
paths and ids that name something else                  | server/rest      | TestUnknownPathsAndIDsAreNotFound
values of a query that are not valid                    | server/rest      | TestInvalidQueriesAreRefused
messages of MCP that are not valid                      | server/mcp       | TestRequestsThatAreNotMessagesAreRefused
names of files that leave their folder                  | internal/private | TestUnsafeNamesAreRefused
bodies that are too large                               | server/rest      | TestTheSizeOfBodiesIsLimited
texts that are too large or not UTF-8                   | internal/document | TestTextThatIsTooLargeOrNotUTF8IsRefused
files that are too large                                | internal/private | TestFileAboveTheLimitIsNotRead
links, pipes and files of others                        | internal/private | TestUnsafeFileIsNeitherReadNorAppendedTo
folders that are shared or behind a link                | internal/private | TestSharedFolderIsRefused
folders of another user                                 | internal/private | TestFolderOfAnotherUserIsRefused
a database that is a link or open to others             | store/sqlite     | TestAFileThatOtherUsersCanAccessIsRefused
the modes of folders and files                          | internal/private | TestFoldersAndFilesAreCreatedPrivate
the mode of the database                                | store/sqlite     | TestOnlyTheOwnerHasAccessToTheFile
the mode of the file with the tokens                    | server/access    | TestATokenFileIsPrivateAndContainsOnlyTheHash
the modes of notes and keys                             | store/notedheads | TestNotesAndKeysAreOnlyForTheirOwner
the socket is only for its user                         | server/socket    | TestOnlyItsUserCanReachTheSocket
a socket of others in the place of the server's         | server/socket    | TestAnObstacleIsReportedAndNotRemoved
hooks ask no server of another user                     | hooks/reach      | TestPostRefusesTheServerOfAnotherUser
hooks ask no other program                              | hooks/reach      | TestAskRefusesAServerThatRunsAnotherProgram
# No acknowledged write is lost or made twice
servers are killed and stopped under load               | store/proof      | TestNothingIsLostWhenServersAreKilled
the clock of a server jumps                             | store/proof      | TestNothingIsLostWhenClocksAreWrong
the disk of a store is full under load                  | store/proof      | TestNothingIsLostWhenTheDiskIsFull
the network between servers and a store fails           | store/proof      | TestNothingIsLostWhenTheNetworkFails
Elasticsearch: servers are killed under load            | store/proof      | TestNothingIsLostWhenServersOnElasticsearchAreKilled
Elasticsearch: the clock of a server jumps              | store/proof      | TestNothingIsLostWhenClocksAreWrongOnElasticsearch
Elasticsearch: the disks are full under load            | store/proof      | TestNothingIsLostWhenTheDisksOfElasticsearchAreFull
Elasticsearch: the nodes of a cluster are partitioned   | store/proof      | TestNothingIsLostWhenAClusterIsPartitioned
the master of a cluster is killed                       | store/proof      | TestNoWriteIsLostWhenTheMasterIsKilledUnderLoad
concurrent changes have an order                        | store/proof      | TestConcurrentChangesAreLinearizable
an acknowledged decision is in other servers' audits    | service          | TestAnAcknowledgedDecisionIsInTheAuditOfOtherServers
decisions of hooks reach the audit of a remote server   | server           | TestDecisionsOfHooksReachTheAuditOfARemoteServer
a decision reaches a remote server once                 | server           | TestADecisionReachesARemoteServerOnceHoweverOftenItIsSent
decisions wait while a remote server does not take them | server           | TestDecisionsWaitWhileARemoteServerDoesNotTakeThem
a caller cannot forge what only the server records      | server           | TestACallerCannotForgeWhatOnlyTheServerRecords
a caller cannot use up the ids of another caller        | server           | TestACallerCannotUseTheIDOfAnotherCallersRecord
a remote server refuses the decisions of one tenant     | server           | TestARefusalConcernsOnlyTheTenantThatAServerRefuses
a remote server that hangs is left alone for a while    | server           | TestAServerThatDoesNotAnswerIsLeftAloneForAWhile
a reader of the audit does not wait for a remote server | internal/spool/intake | TestCatchUpDoesNotAskAnotherServer
an audit that lacks decisions is not shown              | internal/spool/intake | TestCatchUpFailsOnlyIfTheOwnStoreLacksLines
# Results of write ids are kept forever, and a removal of results is noticed: docs/adr/058-results-of-write-ids-stay.md
results of write ids stay, and a removed one is found   | store/notedheads | TestVerifyNoticesEveryAlterationOfTheDatabase
the contract of a store, with cursors: SQLite           | store/sqlite     | TestStoreMeetsTheContract
the contract of a store, with cursors: Elasticsearch    | store/elastic    | TestStoreMeetsTheContract
Elasticsearch: waiting changes share one transaction    | store/elastic    | TestWaitingChangesShareOneTransaction
idle tenants in memory cost one request a poll          | store/live       | TestAPollAsksTheStoreOnceForAllTenants
the size of the spool is known without reading it       | internal/spool/intake | TestTheSizeOfTheSpoolIsKnownWithoutReadingTheRecords
waiting entries share one transaction                   | store/sqlite     | TestWaitingAppendsShareOneTransaction
read your writes: Elasticsearch, every handle           | store/elastic    | TestEveryHandleReadsWhatWasAcknowledgedAtOnceWhileManyWrite
read your writes: decisions over HTTP                   | server           | TestTheAuditHasADecisionAsSoonAsItIsAcknowledged
webhooks: servers are killed under load                 | store/proof      | TestNothingIsLostOfWebhooksWhenServersAreKilled
# Every request gets an answer in time
a request or export of a store that hangs is answered   | server           | TestARequestIsAnsweredIfElasticsearchHangs
a change of a locked database is answered               | server           | TestAChangeIsAnsweredIfAnotherProcessLocksTheDatabase
one token makes as many changes as a store can do       | server           | TestOneTokenMakesAsManyChangesAsAStoreCanDo
a faulty program with a token is slowed down            | server           | TestACallerWithTooManyChangesHasToWait
many changes at once are answered truly                 | server           | TestEachOfManyChangesAtOnceIsAnsweredTruly
a change that may have been made is answered so         | server           | TestAChangeThatMayHaveBeenMadeIsAnsweredWithUnknown
a tenant's verification refuses no other tenant         | server           | TestAVerificationOfOneTenantDoesNotRefuseAnother
a call of a store that hangs ends in its time           | store/live       | TestACallEndsInTimeIfTheStoreHangs
too many changes of a tenant are refused at once        | store/live       | TestTooManyChangesOfATenantAreRefusedAtOnce
tenants with many calls leave places for others         | store/live       | TestATenantGetsAPlaceWhileOthersHoldMany
connections without a token shut out nobody             | server           | TestConnectionsWithoutATokenShutOutNobody
a computer with many connections loses its own          | server           | TestAComputerWithManyConnectionsLosesItsOwn
a token cannot take all connections                     | server           | TestATokenCannotTakeAllConnections
a caller cannot take all event streams                  | server/rest      | TestOneCallerCannotTakeAllEventStreams
summaries of many decisions lose and repeat nothing     | server/rest      | TestASummaryOfTooManyDecisionsContinuesExactlyWhereItStopped
sessions of many decisions lose and repeat nothing      | server/rest      | TestSessionsOfTooManyDecisionsContinueExactlyWhereTheyStopped
a late decision hides no session                        | server/rest      | TestASessionStaysInTheListWhenALateDecisionOfItArrives
a stream continues after the last event                 | server/rest      | TestAStreamContinuesAfterTheLastEventID
a slow listener learns what it missed                   | store/live       | TestASlowListenerLearnsHowManyEventsItMissed
the stream of a revoked token ends                      | server           | TestTheStreamOfARevokedTokenEnds
many tenants stay in memory                             | service/memory   | TestManyValuesStayInMemory
old decisions of all tenants are removed                | service          | TestOldDecisionsOfAllTenantsAreRemoved
counters begin at zero                                  | server/metrics   | TestCountersBeginAtZero
metrics count what other processes added                | server           | TestMetricsCountWhatOtherProcessesAddedToTheAudit
a refused store costs a hook nothing noticeable         | service          | TestARefusedStoreCostsAHookNothingNoticeable
hooks answer in their time whatever hangs               | hooks/run        | TestHooksAnswerInTimeWhateverHangs
no caller learns the place of another tenant's store    | server           | TestNoCallerLearnsWhereTheStoreOfAnotherTenantIs
lists are read with cursors over REST                   | server/rest      | TestListsAreReadWithCursors
lists are read with cursors over MCP                    | server/mcp       | TestTheAuditIsReadWithCursors
lists are read with cursors on the command line         | cli              | TestListsAreReadWithCursorsOnTheCommandLine
one read serves many changes at once                    | store/live       | TestOneReadServesManySimultaneousChanges
a server follows a change without reading everything    | service          | TestAServerFollowsAChangeWithoutReadingEverythingAgain
Elasticsearch: a process does not search for its own    | store/elastic    | TestAProcessNeedNotSearchForItsOwnChanges
tenants that are not used leave the memory              | store/live       | TestTenantsThatWereNotUsedForTheLongestTimeLeaveTheMemory
tenants with much metadata leave the memory             | store/live       | TestTenantsWithMuchMetadataStayBelowTheLimitOfTheMemory
the size of guidelines is the memory that they take     | store/live       | TestTheSizeOfGuidelinesIsTheMemoryThatTheyTake
rulebooks with much metadata leave the memory           | service          | TestTenantsWithMuchMetadataStayBelowTheLimitOfTheMemory
the size of rulebooks is the memory that they take      | service          | TestTheSizeOfRulebooksIsTheMemoryThatTheyTake
a tenant that left the memory gets what changed         | store/live       | TestATenantThatLeftTheMemoryGetsWhatChangedMeanwhile
4194303.0 is a whole number                             | internal/document | TestAWholeNumberMayHaveAFractionOfZeroOrAnExponent
a compressed body is refused                            | server           | TestACompressedBodyIsRefused
a client on stdio is notified of changes                | server           | TestTheClientOnStdioIsNotifiedOfChanges
no request is redirected                                | server           | TestNoRequestIsRedirected
the filters of the audit are one list everywhere        | cli              | TestTheFiltersOfTheAuditAreTheSameEverywhere
unknown filters and values are refused over REST        | server/rest      | TestUnknownFiltersAndValuesOfTheAuditAreRefused
unknown filters and values are refused over MCP         | server/mcp       | TestUnknownFiltersAndValuesOfTheAuditAreRefused
unknown filters are refused on the command line         | cli              | TestUnknownFiltersAndValuesOfTheAuditAreRefusedOnTheCommandLine
no cell of an export is a formula                       | store/auditexport | TestNoCellIsAFormula
ROWS
}

work=$(mktemp -d)
started=
finish() {
  rm -rf "$work"
  [ -z "$started" ] || scripts/stores.sh stop
}
trap finish EXIT
rows | { grep -i -- "${*:-|}" || true; } >"$work/rows"
[ -s "$work/rows" ] || { echo "no row contains: $*" >&2; exit 2; }
if grep -q 'store/\(elastic\|proof\)' "$work/rows" && [ -z "${GUARDRAILS_TEST_ELASTICSEARCH:-}" ]; then
  started=yes
  eval "$(scripts/stores.sh start)"
fi

# All tests of a package run in one process, and have a log of their own. The tests in store/proof are in a Go module of
# their own.
for package in $(cut -d'|' -f2 "$work/rows" | sort -u); do
  tests=$(awk -F'|' -v p="$package" '{gsub(/ /, "", $2); gsub(/ /, "", $3)} $2 == p {print $3}' "$work/rows" | paste -sd'|')
  options=()
  [ "$package" != store/proof ] || options=(-kills "$kills")
  (cd "$package" && CGO_ENABLED=0 go test -count=1 -timeout "$timeout" -v -run "^($tests)\$" "${options[@]}" .) \
    >"$work/${package//\//-}.log" 2>&1 || true
done

failed=0
while IFS='|' read -r row package test; do
  package=${package// /} test=${test// /} verdict=held
  if ! grep -q "^--- PASS: $test " "$work/${package//\//-}.log"; then
    verdict=failed failed=1
  fi
  printf '%s – %s\n' "$row" "$verdict"
done <"$work/rows"
if [ -n "$measure" ]; then
  scripts/bench-full.sh --only "$measure" || failed=1
fi
[ "$failed" = 0 ] || grep -hv -e '^ *=== ' -e '^ *--- PASS' "$work"/*.log >&2 || true
if [ -z "$measure" ]; then
  echo "the measured goals were not run; to run them as well, which takes an hour: scripts/faults.sh --measure ."
fi
exit "$failed"
