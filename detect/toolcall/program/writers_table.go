package program

// The variable "writers" lists programs and says how their calls name the files that these programs change. A row
// has the names of the programs, a tab, and words. The words apply from left to right:
//
//	=             the program changes only the files that its rows name
//	-o, --out     the value of this flag is written
//	-o+           the same, and the value may be attached: -ofile
//	-o~           the value is a kind and a file: json=file
//	--out=, -x:   a flag with its value attached
//	*_out=        an argument with this text, and the value after it
//	@push|save    the first operand must be one of these words; the operands after it count
//	?-w|--fix     one of these flags or words must be given
//	!--check      none of these flags or words may be given
//	?-*=          a flag must have a value after an equals sign
//	%-c|--config  these flags take a value
//	^             the operands are deleted
//	^^            the operands are folders that lose everything in them
//	~             the operands' permissions change
//	last          the last operand is written
//	paths         all operands with a dot or a slash are written
//	.             files in the current folder are written
//	0, 1, 2       the first, second or third operand is written
//	0+, 1+, 2+    all operands, all but the first, or all but the first two are written
//	$-c, $0+      the values of these flags, or these operands, are shell commands
//	>0, >1, >--   the arguments after the flags and 0 or 1 operands, or after --, are a command
//	>0=python3    the same, but the arguments are passed to this program
//	#             the command runs on another machine or in a container
//	:             the call forwards ports of this machine to other machines
//
// If a condition is not true, the rest of its row is ignored. A program may have several rows.
//
// The rows are in sections by the first letter of the program's name, so a lookup reads little text. The first section
// is for names that begin with a digit. A row with &NAME stands for the rows of the program NAME.
var writers = [...]string{ //nolint:gochecknoglobals // a constant table
	`7zz	-o+
7zz	@a|u|d 0
2to3	= ?-w|--write paths
`,
	`amber ambr	2+
ar	= !t|p|tv|d 1
ar	--output
ansible-vault	--output
ansible-vault	@encrypt|decrypt|edit|rekey|create !--output 0+
aunpack atool als	-X+ --extract-to
aunpack	!-X|--extract-to .
apack	-X+ --extract-to
apack	0
aria2c	-l --log --save-session -d --dir
aria2c	$--on-download-complete|--on-download-start|--on-download-error|--on-bt-download-complete
az	-f --file --destination -d
az	# @container @exec $--exec-command
az	@storage @blob @download -f --file
aws	%--profile|--region|--endpoint-url|--exclude|--include @s3 @sync|cp|mv last
as	= -o+
antlr4 antlr	= -o -out --out
advpng	= %-resize|-quality|-crop|-format|-o paths
air	$--build.cmd|--build.pre_cmd|--build.post_cmd|--build.full_bin
accelerate	%--num_processes|--config_file|--mixed_precision|--num_machines|--main_process_port|--gpu_ids @launch >0=python3
astyle alejandra autopep695 add-trailing-comma	= !--check|--version|--dry-run|-|--help|--in-place=0 %--config|--py|-st paths
autoflake	?-i|--in-place 0+
augtool	?set|rm|save paths
augtool	*/files/
ab	-g -e
asciinema	%-c|-t|-e @rec|record 0
asciinema	$-c|--command
aspell	?check|-c|--check 0+
aspell	@check|-c 0+
asdf	@exec >0
aa-exec	>0
apptainer	%-B|--bind|--env|--pwd|-W|-H @exec|run >1
alacritty	>-e|--|-x|start
aws	@ssm @start-session :
az	?tunnel :
`,
	`bison	&as
bitsadmin	last
byobu	%-s|-n|-c|-t|-x|-y @new-window|neww|new-session|new|split-window|splitw|run-shell >0
babel	-d --out-dir -o --out-file
bun	--outfile --outdir
bun	@init|create 1
bun	@exec $0
buf	@generate|build|export -o --output
bundle	-d --destination --site-dir -o --output-dir
bundle	@config last
buildifier	= !-mode=check|--mode=check|-mode|--lint=warn paths
black	=
boundary	@connect :
`,
	`coverage	%--source|--rcfile|--omit|--include|--data-file|--context|--concurrency @run >0=python3
cc c++ clang clang++ circo csc	&as
chokidar	$-c|--command
cabal	&asdf
chronic corepack	>0
certutil create-react-app create-next-app create-vite create-vue	last
clang-format cue	=
cpio	?-p last
cpio	-D --directory -O --file
codemod	%-d|-e|--extensions|--dir -d 2+
compress	= !-c|-k|-l|-t|--stdout|--keep|--list %-p|-S|-b 0+
cabextract	-d --dest --directory
curl	--etag-save --libcurl --hsts --alt-svc --output-dir
curl	-w~
croc	--out
cargo	--target-dir --out-dir --artifact-dir
cargo	@new|init 0
cargo	@install --root
cargo	@watch $-s|--shell >--
cmake	-B+ --install-prefix --graphviz=
cwebp	= !--check|--show-npages|--requires-password %-q|-r|-f|-l|-b|-p|--dpi last
convert	= %-resize|-quality|-crop last
clang-tidy	?--fix|-fix|--fix-errors|-fix-errors paths
cfn-format cfn-lint	?-w|--write 0+
codespell	?-w|--write-changes 0+
crudini	= ?--set|--del|--merge 0
consul-template	-template~ -out
chmod	~ !--reference 1+
chmod	~ ?-x|-w|-r 0+
chown chgrp	~ !-l|--reference %-m|-x|-b|-k|--modify|--remove 1+
chattr	~ !-l|--reference %-m|-x|-b|-k|--modify|--remove 1+
chattr	~ ?-i|-a 0+
chflags	&chattr
coverage	@xml|json|lcov|annotate -o
coverage	@html -d --directory
coverage	-o -C --coverdir
compgen	$-C
c8	--report-dir --reports-dir --temp-dir -r~ -o
conda	@env @export -f --file
conda	@create|install -p --prefix
conda	@env @remove ^^ -p --prefix
composer	-d --working-dir
cookiecutter	-o --output-dir
copier	@copy 1
ctags	= -f+ -o+
cscope	-f+
celery	--pidfile --pid -p -l --logfile --access-logfile --error-logfile --log-file --logto --daemonize -e
cProfile	= -o -C --coverdir
cProfile	%-o|-s|--outfile|--sort|-C|--coverdir|-f|--ignore-dir >0=python3
compileall	0+
curlie	-o --output
colima	@ssh >--
cgexec	%-s|-w|-t|-l|-d|-u|-g >0
crun	# %--cwd|--user|--env @exec|enter >1
coder	# @ssh $--command >--
cf	# @ssh $-c|--command
clush	# %-w|-g|-x|-f|-l|-u|-t|-h|-H|-p >0
cloud_sql_proxy cloud-sql-proxy	:
chisel	@client :
cloudflared	@access :
`,
	`deepspeed	%--num_gpus|--num_nodes|--hostfile|--include|--master_port >0=python3
debugpy	%--listen|--connect|--log-to >0=python3
dot	= -o+
dot	=
docformatter	&astyle
distrobox-host-exec detach dbus-launch	>0
desktop-file-edit desktop-file-install degit	last
dwebp	&cwebp
daemonize	&celery
devpod	&coder
doppler	@run $--command
dsh	&clush
del-cli	!--dry-run|-d ^ 0+
docker	@cp 1
docker	--iidfile --cidfile --metadata-file --pidfile
docker	@build -o
docker	@buildx @build -o
docker podman nerdctl	@build|buildx|image|builder *dest=
docker	@compose @config -o --output
dmd	-of= -od= -of+
deno	@compile|bundle -o --output
deno	@bundle 1
deno	@fmt !--check 0+
doxygen	= ?-g|-u|-s 0
djlint	= ?--fix|-F|--reformat|--fix-dangerously %-c|--config 0+
dotenvx	@set|encrypt|decrypt|rotate -f --env-file
dprint	= @fmt|format !--check|--diff 0+
dart	@format !--output=none|-o|--set-exit-if-changed 0+
dasel	-o --out
dasel	@put|delete ?-o|--out
dasel	@put|delete !-o|--out -f --file
defaults	@write|delete|rename|import 0
dumpcap	-w+
dotlockfile	%-r|-l|-e 0
django-admin	@startproject|startapp 1
distrobox	@enter|ephemeral >--
distrobox-enter	>--
devbox	@run %-c|-e|--config|--env|--env-file >0
devenv	@shell >0
direnv	@exec >1
dokku	# @run|enter %-a|--app >1
ddev	%-s|-d|--service|--dir @exec|ssh >0
devcontainer	%--workspace-folder|--container-id|--id-label|--config @exec >0
dotenv	%-f|-e|-v|--file|-c >0
dockerize	%-wait|-timeout|-template|-stdout|-stderr|-wait-http-header|-wait-retry-interval >0
dialog whiptail	$--prgbox|--programbox
`,
	`emcc	&as
esy	&asdf
eatmydata	>0
eleventy	-d --destination --site-dir -o --output-dir
etags exuberant-ctags	&ctags
exch exchange	0+
eb	&cf
emacs	?--batch|-batch|--script %--eval|-l|-f|--load|--funcall paths
esbuild	--outfile= --outdir= --metafile=
exiftool	= ?-*= paths
exiftool	-o -w
ejs	2
ex	-W -w
entr	$-s
envdir envuidgid envchain	%-t|-k|-s >1
`,
	`flock	0
flex fpc	&as
flatc	&antlr4
flatpak-spawn fakechroot	>0
foot	&alacritty
fastmod	&codemod
flac	&cwebp
fkill-cli	^ 0+
fab	>--
ftp fetch	-o
ffmpeg	= %-i|-c|-f|-c:v|-c:a|-vf|-af|-ss|-t|-to|-r|-s|-b:v|-map|-preset|-crf|-filter_complex|-loglevel|-codec|-vcodec|-acodec paths
fx	?save 0
fly	# %-a|--app|-C|--command @ssh $-C|--command
fly	# %-a|--app|--timeout @machine|machines|m @exec $1
flyctl	&fly
flox	@activate >--
fnm	%--using @exec >0
foreman	%-e|-f|-p|--env @run >0
fzf	$--preview
firebase	@emulators:exec $0
fly flyctl	@proxy :
`,
	`gcc-ar	= !t|p|tv|d 1
gtags	0
gcc g++ gfortran gnat ghc	&as
gifsicle	&advpng
goenv	&asdf
gamemoderun	>0
gnome-terminal	&alacritty
grim	last
gofmt goimports gofumpt	=
gunicorn	&celery
gcore gnuplot	-o
genisoimage	-o 1
gh	@release @download -O --output -D --dir
gh	@run @download -D --dir
gh	@repo @clone 1
gh	@attestation|codespace -O --output
groovyc	= -d
gs ghostscript	-sOutputFile= -o+
google-java-format	?-i|--replace paths
gci	@write 0+
git	%-C|-c|--git-dir @merge-file !-p|--stdout 0
git	%-C|-c @checkout-index|read-tree --prefix=
git	%-C|-c @format-patch|bugreport|diagnose|archive -o+ --output-directory --output
git	%-C|-c|-b|-B|--reason @worktree @add 0
git	%-C|-c|-b|--name|--depth|--reference @submodule @add 1
git	%-C|-c|-b|--initial-branch|--template|--object-format @init 0
git	%-C|-c|-b|--branch|--depth|-o|-j|--reference|--origin|--jobs|--filter @clone 1
git	%-C|-c|-t|--tool @mergetool 0+
git	%-C|-c|-p @apply|am !--check|--stat|--numstat|--summary --directory=
git	%-C|-c|-m|--message @stash @push 0+
git	%-C|-c|-e|--exclude @clean !-n|--dry-run ^ ?-f|--force 0+
gotestsum	--junitfile --jsonfile --jsonfile-timing-events
go	-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir
go	@mod @vendor -o
grype	= -o~ --file --output
gitleaks	= -r --report-path
golangci-lint	--out-format~ --output.json.path
gem	@build|fetch|unpack -o --output --target
gem	@install -i --install-dir
genhtml gcovr	-o --output-directory --output-file
guix	@shell|environment >--
gcloud	?start-iap-tunnel|-L|-NL|-fNL :
`,
	`host-spawn	>0
hugo	&eleventy
html2text	&cwebp
http	&curlie
handlebars	2
honcho	&foreman
hx helix	%-f|-e|-c 0+
hdiutil	%-srcfolder|-size|-fs|-volname|-format @create|convert|makehybrid -o last
httrack	-O --path
huggingface-cli hf	--local-dir --cache-dir
helm	@template --output-dir
htpasswd htdigest	= !-n|-nb|-v|-nbB 0
heaptrack	-o --output -d
heaptrack	%-o|--output|-d|-r !--analyze|-a|record|live >0
hyperfine	--export-json --export-markdown --export-csv --export-asciidoc --export-orgmode
hyperfine	%-w|-m|-M|-r|-p|-s|-c|-n|-N|-S|-i|-L|-P|-D|-u|--warmup|--min-runs|--max-runs|--runs|--prepare|--setup|--cleanup|--conclude|--command-name|--shell|--parameter-list|--parameter-scan|--style|--export-json|--export-markdown|--export-csv|--time-unit|--input|--output $0+ $-p|--prepare|-s|--setup|-c|--cleanup|--conclude
hg	@clone 1
hg	@mv|rename|move|ren >0=mv
hg	@cp|copy last
hg	@cat|archive -o --output
heroku	# %-a|--app|-r|--remote|-s|--size|-e|--env @run|run:detached|run:inside >0
`,
	`ipdb ipdb3	%-c >0=python3
icc	&as
indent	&astyle
ifne	>0
import	last
isort	=
imv	0+
incus	&crun
inkscape	= --export-filename= -o --export-plain-svg=
ispell	!-l|-a 0+
initdb	-D --pgdata
`,
	`jpegoptim	&advpng
jenv	&asdf
jekyll	&eleventy
jsonnet	=
joe jed	&hx
jscodeshift	%-t|--transform|--parser paths
jar	= !-t|t|tf|tvf -C --dir --file=
jar	?-x|--extract|x|xf|xvf|xfv !-C|--dir .
jar	?c|cf|cvf|u|uf|-cf|-c|-u|cfe|cfm 1
jar	@cf|cvf|uf|uvf|cfe|cfm 0
javac	= -d -s -h
jupyter	= @nbconvert --output-dir --output
jupyter	@nbconvert ?--inplace|--clear-output %--to|--execute 0+
jupytext	= ?--sync|--set-formats|--update-metadata|--pipe|--to %--to|--from 0+
jaq jq	= ?-i|--in-place paths
json	?-I -f
jest	--outputFile --coverageDirectory --coverage.reportsDirectory
java	>-jar
java	-Xlog:gc: -Xloggc: -XX:HeapDumpPath= -XX:ErrorFile= -XX:LogFile= -Xlog:file=
jmap	-dump:file= -dump:live,format=b,file= -dump:format=b,file=
jcmd	?GC.heap_dump|JFR.dump|Thread.dump_to_file|filename last
json.tool	= %--indent 1
just	>-c|--command
`,
	`kernprof	%-o|-s|-u >0=python3
konsole kitty	&alacritty
ktlint	&djlint
kotlinc kotlin	= -d
kak	&hx
keytool	?-genkey|-genkeypair|-importcert|-import|-delete|-storepasswd -keystore
kubeseal	-w --sealed-secret-file
k6	--out~ -o~ --summary-export
kubectl	--output-directory
kubectl	@config ?set|set-context|set-cluster|set-credentials|use-context|unset|rename-context|delete-context --kubeconfig
kubectl	@cp last
knife	# @ssh $1
kubefwd	:
`,
	`llvm-ar	&gcc-ar
ld lex	&as
logsave	%-c|-t|-e @rec|record 0
logsave	%-r|-l|-e 0
logsave	%-t|-k|-s >1
lima	>0
llvm-objcopy	last
logger	=
lzop lbzip2 lzip lzma	&compress
lame	&cwebp
lxc	&crun
lando	&cf
ldc2	&dmd
lockfile	%-r|-l|-e 0
lerna	>--
lerna	@exec $0
lockf	&envdir
lcov	&genhtml
lz4	= 1
lwp-download	1+
less	-o+ -O+ --log-file
lsar	-o --output-directory
lessc	%-I|--load-path|--include-path 1
lualatex latex	-output-directory --output-directory -output-directory=
latexmk	-outdir= -auxdir= -output-directory=
libreoffice	--outdir -o
lldb	-s
lighthouse	--output-path
limactl	%--workdir|--shell @shell >1
`,
	`mcs msgfmt msgcat	&as
mogrify	&advpng
mosh	$--ssh
mdformat	&astyle
maim	last
mkdocs	&eleventy
mdcat	=
misspell	&codespell
mamba micromamba	&conda
mmv	0+
markdownlint markdownlint-cli2	&djlint
mustache	2
mksquashfs mkisofs	-o 1
micro mcedit mg	&hx
mktemp	-p --tmpdir 0
merge	%-L 0
magick	= !identify|compare|display last
mix	@format !--check-formatted 0+
mlr	= @tee 0
mlr	?tee %--ojson paths
mkcert	= -cert-file -key-file -p12-file
minisign	?-S|-G|-Sm -x -p -s -m
msgmerge	?-U|--update 0
mysql mariadb	--tee
mongodump	--archive= -o --out
masscan	-oN -oX -oG -oA -oJ -oL
mocha	--reporter-option~ --reporter-options~ -O~
mypy	= --html-report --junit-xml --xml-report --txt-report --cobertura-xml-report --cache-dir
mise	@exec|x $-c|--command >--
meta	@exec $0
multipass	# @exec %-d|--working-directory >1
machinectl	# @shell >1
modd	%-r|-g|-R|-G|-s|-d|-t >--
mprocs multitime	$0+
memory_profiler	%-o >0=python3
memray	%-o|--output|-d|-r @record|run|live >0
man	$-P|--pager
mix	@cmd >0
mysql mariadb	$--pager
`,
	`nasm nvcc	&as
neato	&dot
nixfmt	&astyle
nodenv	&asdf
nocache	>0
npm	@init|create 1
netlify netlify-cli	@dev:exec >0
npm	$--script-shell
npm	--pack-destination --prefix --cwd --dir -C
ncompress	&compress
nyc	&c8
nginx	&celery
nerdctl	&docker
nx	>--
nvim	&ex
nm	-o
nano ne	&hx
nmap	&masscan
nim	-o: --out: --outdir: --nimcache:
node	--cpu-prof-dir --trace-event-file-pattern --heap-prof-dir --report-dir --report-filename --diagnostic-dir --cpu-prof-name --redirect-warnings
nuitka	--distpath --workpath --output-dir
nodemon	$-x|--exec
nvm	@exec|run %--lts >1
nq	%-L|-N|-D|-d|-w >0
`,
	`optipng oxipng	&advpng
opam	&asdf
optirun	>0
objcopy	last
openapi-typescript	=
oggenc opusenc	&cwebp
oxlint	&djlint
okteto onchange	>--
oc	&kubectl
ouch	-d --dir
ouch	@compress|c last
openapi-generator openapi-generator-cli	= -o --output
`,
	`pdb pudb pudb3 ptpython bpython	%-c >0=python3
protoc	= -o+
protoc	= *_out=~
pngquant	&advpng
pyupgrade phpcbf	&astyle
pyenv	&asdf
pkgx prime-run	>0
pnpm	&npm
pandoc prettier	=
pandoc	$-F|--filter
pigz pbzip2 plzip	&compress
pdftotext pdftohtml pdftoppm ps2pdf pdf2ps	&cwebp
profile	&cProfile
pct	&crun
platform	&cf
pdsh pssh parallel-ssh	&clush
podman	&docker
pug	2
pico	&hx
pg_basebackup	&initdb
pdflatex	&lualatex
pee poop	$0+
pyinstaller	&nuitka
pax	?-r last
ptx	1
parcel	--dist-dir --cache-dir
postcss	-o -d --dir
plantuml	-o -d --dest
php-cs-fixer	= @fix|format !--dry-run %--rules|--config|--dialect 0+
plutil	= !-p|-lint|-extract|-type -o last
plistbuddy	%-c last
psql	= -L --log-file -o+ --output
pytest py.test	= --junitxml --junit-xml --log-file --json-report-file --html --cov-report~ --resultlog --report-log --basetemp
pip pip3	-t --target --log -d --dest -w --wheel-dir --report --prefix --root --cache-dir
pip-compile	-o --output-file
poetry	@export -o --output
poetry	@new 0
pdm	@export -o --output
python3 python	?cProfile|profile|zipapp|trace|coverage -o -C -f
proot	%-r|-b|-w|-q|-k|-R|-S|--rootfs|--bind|--cwd >0
pm2	@start $0
pueue	%-g|-w|-d|-p|-l|-a @add >0
py-spy	@record|top >--
plink	?-L :
pscale	@connect :
`,
	`quicktype	=
qpdf	&cwebp
qmv	0+
qemu-img	@create|convert|resize|rebase last
`,
	`replace	2+
reorder-python-imports	&astyle
rbenv	&asdf
run0	>0
ruff rustfmt	=
runc	&crun
red	&hx
rr	-o --output -d
rr	%-o|-n @record >0
recode	&jscodeshift
rcp	1+
rtx	&mise
restic	@restore -t --target
reflex	&modd
rush	$0+
rst2html rst2html5 rst2latex rst2man	1
rails	@new 0
rclone	%--config|--filter|--include|--exclude|--transfers @copy|copyto|sync|move|moveto|bisync 1
rustc	-o --out-dir --emit~
rollup	-o --file -f~ -d --dir
remark	?-o|--output paths
redis-cli	--rdb --functions-rdb
rtk	@proxy|err|test|summary >0
rtk	!proxy|err|test|summary|gain|discover|init|config|learn >0
railway	%-s|-e|--service|--environment @run|ssh >0
rvm	>do
rustup	@run >1
retry	%-t|-d|--times|--delay|--tries|--min|--max >0
repeat	>1
rg	$--pre
`,
	`streamlit	@run >0=python3
scalene	%--outfile|--profile-only >0=python3
strip	-o+
strip	!-o|--version 0+
sad	2+
sops	--output
sops	@set|unset 0
sops	= ?-i|--in-place|-r|edit|rotate|updatekeys %--age|--pgp|--kms 0+
sops	!-d|--decrypt|decrypt|-e|--encrypt|encrypt|-v|--version|exec-env|exec-file|publish|keyservice|filestatus|set|unset 0
sops	@exec-env|exec-file $1
swiftc	&as
stylua	&astyle
stack	&asdf
startx ssh-agent	>0
singularity	&apptainer
screencapture scrot	last
swc	&babel
shfmt	=
sox	&cwebp
setfacl	~ !-l|--reference %-m|-x|-b|-k|--modify|--remove 1+
setfacl	~ %-m|-x|--modify|--remove 0+
setfacl	--restore --restore=
start-server-and-test server-test start-test	$0+
start-stop-daemon supervisord	&celery
standard standardrb semistandard	&djlint
summon	>--
sudoedit	0+
setlock setuidgid s6-setuidgid s6-envdir s6-setlock	&envdir
sk	&fzf
scalac	= -d
syft	&grype
samply	%-o|--output|-d|-r !--analyze|-a|record|live >0
samply	%-o|--output|-d|-r @record|run|live >0
sftp snarf	1+
stylus	&lessc
sass	%-I|--load-path|--include-path 1
sass	*.scss: *.sass:
soffice	--outdir -o
signify	&minisign
swagger-codegen	= -o --output
sqlfluff	&php-cs-fixer
sam	?-d %-r|-s 0+
ssed	?-i|--in-place %-e|-f 1+
setfattr	%-n|-v|-x|--name|--value|--remove 0+
semgrep	?-a|--autofix %-e|-c|--config|-l|--lang|-p paths
sg	!run|scan|test|new|lsp $-c
sbatch	$--wrap
sg	@run|scan ?-U|--update-all %-p|-r|-l|--pattern|--rewrite|--lang 0+
srgn	-G --glob
sdiff	= -o+ --output
sqlc	-f --file
sphinx-build sphinx-apidoc	-d -o 1
svgo	= %-i|--config|--multipass|-p -o --output paths
swiftformat swift-format	= !-lint|--lint|-dry|--dryrun|lint paths
ssh-keygen	!-l|-y|-F|-R|-H|-e|-B|-D|-Y|-Q -f+
socat	*OPEN: *CREATE: *FILE: *open: *create: *file:
snyk	--json-file-output --sarif-file-output
screen	-Logfile
svn	@export|checkout|co 1
svn	!-m|--message @mv|rename|move|ren >0=mv
svn	!-m|--message @cp|copy last
sem	%-j|--jobs|--id|--semaphorename >0
schedtool	>-e
systemd-nspawn	%-D|-i|-M|-u|--directory|--image|--machine|--user|--bind >0
scalingo	# %-a|--app|-s|--size @run >0
saml2aws	@exec|run %-a|-p|--profile >--
salt	# ?cmd.run|cmd.shell $2
sort gsort	$--compress-program
script	!-c|--command >1
`,
	`torchrun	%--nproc_per_node|--nproc-per-node|--nnodes|--node_rank|--node-rank|--master_addr|--master_port|--rdzv_endpoint|--rdzv_backend|--rdzv_id >0=python3
tcc	&as
thrift	&antlr4
ttyrec	%-c|-t|-e @rec|record 0
ttyrec	%-r|-l|-e 0
ttyrec	$-e
termtosvg	%-c|-t|-e @rec|record 0
terminator	&alacritty
tiged	last
typos	&codespell
trace	&cProfile
trickle	&cgexec
trash-cli	^ 0+
taplo	&dprint
tcpdump tshark	-w+
trivy	&grype
trufflehog	&gitleaks
tex	&lualatex
tsp	&nq
tree	&sdiff
teller	&saml2aws
tsc	--outFile --outDir --declarationDir --tsBuildInfoFile --generateTrace
typst	@compile|c|watch 1
tidy	?-m|-modify|-im|-mi 0+
terraform	= @fmt !-check|--check|-check=true|-diff 0+
terraform	?fmt !-check|--check|-check=true|-diff -chdir=
terraform	-out -state-out -backup -generate-config-out
tofu	&terraform
toml toml-cli	@set|unset 0
tmux	@save-buffer|saveb 0
tarfile	= @-c 0
tarfile	-c --create
tarfile	?-e|--extract 1
toolbox	@run|enter %-c|-d|-r|--container >0
timelimit	%-t|-T|-s|-S >0
tsh	@proxy :
telepresence	:
`,
	`uudecode	-o+
unify	&autoflake
unchroot	>0
urxvt	&alacritty
uncompress unpigz unlzma unlz4 unlzop	&compress
unsquashfs	&cabextract
universal-ctags	&ctags
uwsgi	&celery
unison	0+
uftrace	-o --output -d
uftrace	%-o|--output|-d|-r !--analyze|-a|record|live >0
uftrace	%-o|--output|-d|-r @record|run|live >0
unar	&lsar
unoconv	--outdir -o
uncrustify	?--replace|--no-backup %-c|-l 0+
unrar	%-p @x|e 1
uv	@pip|export|build|venv -o --output-file --out-dir -t --target
uv	%--python|-p|--prompt @venv ?--clear|-c ^^ 0+
uv	@venv 0
uv	@init 0
`,
	`venv virtualenv	%--prompt|-p|--python ?--clear ^^ 0+
viztracer	%-o|--output_file|--tracer_entries >0=python3
valac	&as
vidir vimv venv	0+
vagrant	&cf
vaultenv	>--
vim vi	&ex
vitest	&jest
valkey-cli	&redis-cli
vite	@build --outDir
vault	@agent -config=
valgrind	--log-file= --xml-file= --massif-out-file= --callgrind-out-file= --cachegrind-out-file=
vegeta	-output -output=
virtualenv	%-p|--python 0
volta	%--node|--npm|--yarn|--pnpm @run >0
`,
	`wezterm	&alacritty
wkhtmltopdf wkhtmltoimage weasyprint	&cwebp
wget2	&curlie
wait-for-it wait4x	>--
wgo	&modd
wrangler	@r2 --file
webpack	-o --output-path
wget	--warc-file --rejected-log --hsts-file
watchexec	%-e|-w|-W|-i|-f|-d|-s|-o|-E|--exts|--watch|--ignore|--filter|--debounce|--signal|--shell|--workdir|--delay-run|--on-busy-update >0
wsl	?-e|--exec >-e|--exec
wsl	!-e|--exec|--unregister|--list|-l|--shutdown|--install|--import|--export|--terminate|-t|--set-default|--update|--status %-d|-u|--distribution|--user|--cd >0
`,
	`xgettext	&as
xterm x-terminal-emulator	&alacritty
xsltproc	=
xh	&curlie
xo	&djlint
xorriso	-o 1
xcp	1+
xelatex	&lualatex
xattr	?-w|-d|-c|-s last
xcrun	!--find|-f|-find|--show-sdk-path|--version %--sdk|-sdk|--toolchain >0
`,
	`yasm yacc	&as
yarn	@init|create 1
yarn	$--script-shell
yarn	--pack-destination --prefix --cwd --dir -C
yarn	@pack -o --out --filename
yamlfmt	&swiftformat
ytt	--output-files
`,
	`zopflipng	&advpng
zola	&eleventy
zipapp	&curlie
zig	@fmt !--check 0+
zig	-femit-bin= -femit-asm= --prefix -p --cache-dir
zile	&hx
zipfile	&tarfile
zpaq	-to
zpaq	@a|add 0
zellij	@run >--
zmv zcp zln	paths
zellij	@action @write-chars $0+
`,
}
