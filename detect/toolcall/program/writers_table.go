package program

// writers lists programs and how they name the files that they change. A row has the names of the programs, a tab, and
// words that are read one after the other:
//
//	=             the program changes no other file than its rows say
//	-o, --out     the value of this flag is written
//	-o+           the same, and the value may be attached: -ofile
//	-o~           the value is a kind and a file: json=file
//	--out=, -x:   a flag with its value behind it
//	*_out=        an argument with this text, and the value behind it
//	@push|save    the first operand must be one of these words; the operands after it count
//	?-w|--fix     one of these flags or words must be given
//	!--check      none of these flags or words may be given
//	?-*=          a flag has a value behind an equals sign
//	%-c|--config  these flags take a value
//	^             the operands are deleted
//	~             the operands' permissions change
//	last          the last operand is written
//	paths         all operands with a dot or a slash are
//	0, 1, 2       the first, second or third operand is
//	0+, 1+, 2+    all operands are, all but the first, all but the first two
//
// A condition ends the row if it does not hold. A program may have several rows.
//
// The rows are in sections by the first letter of the program's name, so that a look-up reads little text. The first
// section is for names that begin with a digit.
var writers = [...]string{ //nolint:gochecknoglobals // a constant table
	`7zz	-o+
7zz	@a|u|d 0
2to3	= ?-w|--write paths
`,
	`amber ambr	2+
ar	= !t|p|tv|d 1
ar	--output
aunpack atool als apack	-X+ --extract-to
apack	0
aria2c	-l --log --save-session --on-download-complete -d --dir
az	-f --file --destination -d
aws	%--profile|--region|--endpoint-url|--exclude|--include @s3 @sync|cp|mv last
as	= -o+
antlr4 antlr	= -o -out --out
advpng	= %-resize|-quality|-crop|-format|-o paths
astyle alejandra autopep695 add-trailing-comma	= !--check|--version|--dry-run|-|--help|--in-place=0 %--config|--py|-st paths
autoflake	?-i|--in-place 0+
augtool	?set|rm|save paths
ansible-vault	@encrypt|decrypt|edit|rekey|create !--output 0+
ansible-vault	--output
augtool	*/files/
ab	-g -e
asciinema	%-c|-t|-e @rec|record 0
aspell	?check|-c|--check 0+
aspell	@check|-c 0+
az	@storage @blob @download -f --file
`,
	`bitsadmin	last
bison	= -o+
babel	-d --out-dir -o --out-file
bun	--outfile --outdir
buf	@generate|build|export -o --output
bundle	-d --destination --site-dir -o --output-dir
buildifier	= !-mode=check|--mode=check|-mode|--lint=warn paths
bundle	@config last
bun	@init|create 1
black	=
`,
	`cpio	?-p last
cpio	-D --directory -O --file
codemod	%-d|-e|--extensions|--dir -d 2+
compress	= !-c|-k|-l|-t|--stdout|--keep|--list %-p|-S|-b 0+
cabextract	-d --dest --directory
curl	--etag-save --libcurl --hsts --alt-svc --output-dir
curl	-w~
croc	--out
certutil	last
cc c++ clang clang++ circo csc	= -o+
cargo	--target-dir --out-dir --artifact-dir
cargo	@new|init 0
cargo	@install --root
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
chown chgrp chattr chflags	~ !-l|--reference %-m|-x|-b|-k|--modify|--remove 1+
chattr chflags	~ ?-i|-a 0+
coverage	@xml|json|lcov|annotate -o
coverage	@html -d --directory
c8	--report-dir --reports-dir --temp-dir -r~ -o
conda	@env @export -f --file
conda	@create|install -p --prefix
composer	-d --working-dir
create-react-app create-next-app create-vite create-vue	last
cookiecutter	-o --output-dir
copier	@copy 1
ctags	= -f+ -o+
cscope	-f+
celery	--pidfile --pid -p -l --logfile --access-logfile --error-logfile --log-file --logto --daemonize -e
cProfile	= -o -C --coverdir
coverage	-o -C --coverdir
compileall	0+
curlie	-o --output
clang-format cue	=
`,
	`del-cli	^ 0+
docker	@cp 1
docker	--iidfile --cidfile --metadata-file --pidfile
docker	@build -o
docker	@buildx @build -o
docker	@compose @config -o --output
dot	= -o+
dmd	-of= -od= -of+
deno	@compile|bundle -o --output
deno	@bundle 1
deno	@fmt !--check 0+
dwebp	= !--check|--show-npages|--requires-password %-q|-r|-f|-l|-b|-p|--dpi last
doxygen	= ?-g|-u|-s 0
docformatter	= !--check|--version|--dry-run|-|--help|--in-place=0 %--config|--py|-st paths
djlint	= ?--fix|-F|--reformat|--fix-dangerously %-c|--config 0+
dprint	= @fmt|format !--check|--diff 0+
dart	@format !--output=none|-o|--set-exit-if-changed 0+
dasel	-o --out
dasel	@put|delete ?-o|--out
dasel	@put|delete !-o|--out -f --file
defaults	@write|delete|rename|import 0
desktop-file-edit desktop-file-install	last
dumpcap	-w+
dotlockfile	%-r|-l|-e 0
degit	last
django-admin	@startproject|startapp 1
daemonize	--pidfile --pid -p -l --logfile --access-logfile --error-logfile --log-file --logto --daemonize -e
dot	=
`,
	`exch exchange	0+
emacs	?--batch|-batch|--script %--eval|-l|-f|--load|--funcall paths
emcc	= -o+
esbuild	--outfile= --outdir= --metafile=
eleventy	-d --destination --site-dir -o --output-dir
exiftool	= ?-*= paths
exiftool	-o -w
ejs	2
ex	-W -w
etags exuberant-ctags	= -f+ -o+
`,
	`fkill-cli	^ 0+
fastmod	%-d|-e|--extensions|--dir -d 2+
ftp fetch	-o
flex fpc	= -o+
flatc	= -o -out --out
flac	= !--check|--show-npages|--requires-password %-q|-r|-f|-l|-b|-p|--dpi last
ffmpeg	= %-i|-c|-f|-c:v|-c:a|-vf|-af|-ss|-t|-to|-r|-s|-b:v|-map|-preset|-crf|-filter_complex|-loglevel|-codec|-vcodec|-acodec paths
fx	?save 0
flock	0
`,
	`gcc-ar	= !t|p|tv|d 1
genisoimage	-o 1
gh	@release @download -O --output -D --dir
gh	@run @download -D --dir
gh	@repo @clone 1
gh	@attestation|codespace -O --output
gcc g++ gfortran gnat ghc	= -o+
groovyc	= -d
gs ghostscript	-sOutputFile= -o+
gifsicle	= %-resize|-quality|-crop|-format|-o paths
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
gcore	-o
gotestsum	--junitfile --jsonfile --jsonfile-timing-events
go	-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir
grype	= -o~ --file --output
gitleaks	= -r --report-path
golangci-lint	--out-format~ --output.json.path
gem	@build|fetch|unpack -o --output --target
gem	@install -i --install-dir
go	@mod @vendor -o
gtags	0
gnuplot	-o
gunicorn	--pidfile --pid -p -l --logfile --access-logfile --error-logfile --log-file --logto --daemonize -e
genhtml gcovr	-o --output-directory --output-file
grim	last
gofmt goimports gofumpt	=
`,
	`hx helix	%-f|-e|-c 0+
hdiutil	%-srcfolder|-size|-fs|-volname|-format @create|convert|makehybrid -o last
httrack	-O --path
huggingface-cli hf	--local-dir --cache-dir
hugo	-d --destination --site-dir -o --output-dir
html2text	= !--check|--show-npages|--requires-password %-q|-r|-f|-l|-b|-p|--dpi last
helm	@template --output-dir
handlebars	2
htpasswd htdigest	= !-n|-nb|-v|-nbB 0
heaptrack	-o --output -d
hyperfine	--export-json --export-markdown --export-csv --export-asciidoc --export-orgmode
hg	@clone 1
hg	@cat|archive -o --output
http	-o --output
`,
	`imv	0+
icc	= -o+
inkscape	= --export-filename= -o --export-plain-svg=
indent	= !--check|--version|--dry-run|-|--help|--in-place=0 %--config|--py|-st paths
ispell	!-l|-a 0+
initdb	-D --pgdata
import	last
isort	=
`,
	`joe jed	%-f|-e|-c 0+
jscodeshift	%-t|--transform|--parser paths
jar	= !-t|t|tf|tvf -C --dir --file=
jar	?c|cf|cvf|u|uf|-cf|-c|-u|cfe|cfm 1
jar	@cf|cvf|uf|uvf|cfe|cfm 0
javac	= -d -s -h
jekyll	-d --destination --site-dir -o --output-dir
jpegoptim	= %-resize|-quality|-crop|-format|-o paths
jupyter	= @nbconvert --output-dir --output
jupyter	@nbconvert ?--inplace|--clear-output %--to|--execute 0+
jupytext	= ?--sync|--set-formats|--update-metadata|--pipe|--to %--to|--from 0+
jaq jq	= ?-i|--in-place paths
json	?-I -f
jest	--outputFile --coverageDirectory --coverage.reportsDirectory
java	-Xlog:gc: -Xloggc: -XX:HeapDumpPath= -XX:ErrorFile= -XX:LogFile= -Xlog:file=
jmap	-dump:file= -dump:live,format=b,file= -dump:format=b,file=
jcmd	?GC.heap_dump|JFR.dump|Thread.dump_to_file|filename last
json.tool	= 1
jsonnet	=
`,
	`kak	%-f|-e|-c 0+
kotlinc kotlin	= -d
ktlint	= ?--fix|-F|--reformat|--fix-dangerously %-c|--config 0+
keytool	?-genkey|-genkeypair|-importcert|-import|-delete|-storepasswd -keystore
kubeseal	-w --sealed-secret-file
k6	--out~ -o~ --summary-export
kubectl	--output-directory
kubectl	@config ?set|set-context|set-cluster|set-credentials|use-context|unset|rename-context|delete-context --kubeconfig
kubectl	@cp last
`,
	`lwp-download	1+
less	-o+ -O+ --log-file
llvm-ar	= !t|p|tv|d 1
lz4	= 1
lzop lbzip2 lzip lzma	= !-c|-k|-l|-t|--stdout|--keep|--list %-p|-S|-b 0+
lsar	-o --output-directory
ld lex	= -o+
llvm-objcopy	last
ldc2	-of= -od= -of+
lessc	%-I|--load-path|--include-path 1
lualatex latex	-output-directory --output-directory -output-directory=
latexmk	-outdir= -auxdir= -output-directory=
lame	= !--check|--show-npages|--requires-password %-q|-r|-f|-l|-b|-p|--dpi last
libreoffice	--outdir -o
logger	=
lldb	-s
lighthouse	--output-path
logsave	%-c|-t|-e @rec|record 0
logsave lockfile	%-r|-l|-e 0
lcov	-o --output-directory --output-file
`,
	`mmv	0+
mktemp	-p --tmpdir 0
micro mcedit mg	%-f|-e|-c 0+
merge	%-L 0
mksquashfs mkisofs	-o 1
mcs	= -o+
mkdocs	-d --destination --site-dir -o --output-dir
magick	= !identify|compare|display last
mogrify	= %-resize|-quality|-crop|-format|-o paths
mdformat	= !--check|--version|--dry-run|-|--help|--in-place=0 %--config|--py|-st paths
markdownlint markdownlint-cli2	= ?--fix|-F|--reformat|--fix-dangerously %-c|--config 0+
mix	@format !--check-formatted 0+
misspell	?-w|--write-changes 0+
mlr	= @tee 0
mlr	?tee %--ojson paths
mustache	2
mkcert	-cert-file -key-file -p12-file
minisign	?-S|-G|-Sm -x -p -s -m
msgmerge	?-U|--update 0
msgfmt msgcat	= -o+
mysql mariadb	--tee
mongodump	--archive= -o --out
masscan	-oN -oX -oG -oA -oJ -oL
mocha	--reporter-option~ --reporter-options~ -O~
mypy	= --html-report --junit-xml --xml-report --txt-report --cobertura-xml-report --cache-dir
mamba micromamba	@env @export -f --file
mamba micromamba	@create|install -p --prefix
maim	last
mdcat	=
`,
	`nano ne	%-f|-e|-c 0+
ncompress	= !-c|-k|-l|-t|--stdout|--keep|--list %-p|-S|-b 0+
nerdctl	@cp 1
nerdctl	--iidfile --cidfile --metadata-file --pidfile
nerdctl	@build -o
nerdctl	@buildx @build -o
nerdctl	@compose @config -o --output
nasm neato nvcc	= -o+
nim	-o: --out: --outdir: --nimcache:
nixfmt	= !--check|--version|--dry-run|-|--help|--in-place=0 %--config|--py|-st paths
nvim	-W -w
nmap	-oN -oX -oG -oA -oJ -oL
nyc	--report-dir --reports-dir --temp-dir -r~ -o
npm	--pack-destination --prefix --cwd --dir -C
npm	@init|create 1
nginx	--pidfile --pid -p -l --logfile --access-logfile --error-logfile --log-file --logto --daemonize -e
node	--cpu-prof-dir --trace-event-file-pattern --heap-prof-dir --report-dir --report-filename --diagnostic-dir --cpu-prof-name --redirect-warnings
nuitka	--distpath --workpath --output-dir
nm	-o
neato	=
`,
	`ouch	-d --dir
ouch	@compress|c last
objcopy	last
openapi-generator openapi-generator-cli	= -o --output
oggenc opusenc	= !--check|--show-npages|--requires-password %-q|-r|-f|-l|-b|-p|--dpi last
optipng oxipng	= %-resize|-quality|-crop|-format|-o paths
oxlint	= ?--fix|-F|--reformat|--fix-dangerously %-c|--config 0+
oc	--output-directory
oc	@config ?set|set-context|set-cluster|set-credentials|use-context|unset|rename-context|delete-context --kubeconfig
oc	@cp last
openapi-typescript	=
`,
	`pax	?-r last
pico	%-f|-e|-c 0+
ptx	1
pigz pbzip2 plzip	= !-c|-k|-l|-t|--stdout|--keep|--list %-p|-S|-b 0+
podman	@cp 1
podman	--iidfile --cidfile --metadata-file --pidfile
podman	@build -o
podman	@buildx @build -o
podman	@compose @config -o --output
protoc	= -o+
protoc	= *_out=~
parcel	--dist-dir --cache-dir
postcss	-o -d --dir
pdflatex	-output-directory --output-directory -output-directory=
pdftotext pdftohtml pdftoppm ps2pdf pdf2ps	= !--check|--show-npages|--requires-password %-q|-r|-f|-l|-b|-p|--dpi last
plantuml	-o -d --dest
pngquant	= %-resize|-quality|-crop|-format|-o paths
pyupgrade phpcbf	= !--check|--version|--dry-run|-|--help|--in-place=0 %--config|--py|-st paths
php-cs-fixer	= @fix|format !--dry-run %--rules|--config|--dialect 0+
pug	2
plutil	= !-p|-lint|-extract|-type -o last
plistbuddy	%-c last
psql	= -L --log-file -o+ --output
pytest py.test	= --junitxml --junit-xml --log-file --json-report-file --html --cov-report~ --resultlog --report-log --basetemp
pip pip3	-t --target --log -d --dest -w --wheel-dir --report --prefix --root --cache-dir
pip-compile	-o --output-file
poetry pdm	@export -o --output
poetry	@new 0
pnpm	--pack-destination --prefix --cwd --dir -C
pnpm	@init|create 1
python3 python	?cProfile|profile|zipapp|trace|coverage -o -C -f
profile	= -o -C --coverdir
pyinstaller	--distpath --workpath --output-dir
pg_basebackup	-D --pgdata
pandoc prettier	=
`,
	`qmv	0+
qpdf	= !--check|--show-npages|--requires-password %-q|-r|-f|-l|-b|-p|--dpi last
qemu-img	@create|convert|resize|rebase last
quicktype	=
`,
	`rcp	1+
red	%-f|-e|-c 0+
replace	2+
recode	%-t|--transform|--parser paths
rclone	%--config|--filter|--include|--exclude|--transfers @copy|copyto|sync|move|moveto|bisync 1
rustc	-o --out-dir --emit~
rollup	-o --file -f~ -d --dir
rst2html rst2html5 rst2latex rst2man	1
reorder-python-imports	= !--check|--version|--dry-run|-|--help|--in-place=0 %--config|--py|-st paths
remark	?-o|--output paths
redis-cli	--rdb --functions-rdb
rr	-o --output -d
rails	@new 0
ruff rustfmt	=
`,
	`sftp snarf	1+
sam	?-d %-r|-s 0+
ssed	?-i|--in-place %-e|-f 1+
setfattr	%-n|-v|-x|--name|--value|--remove 0+
sad	2+
semgrep	?-a|--autofix %-e|-c|--config|-l|--lang|-p paths
sg	@run|scan ?-U|--update-all %-p|-r|-l|--pattern|--rewrite|--lang 0+
srgn	-G --glob
sdiff	= -o+ --output
swiftc	= -o+
scalac	= -d
strip	!-o|--version 0+
strip	-o+
swc	-d --out-dir -o --out-file
sass stylus	%-I|--load-path|--include-path 1
swagger-codegen	= -o --output
sqlc	-f --file
sphinx-build sphinx-apidoc	-d -o 1
sox	= !--check|--show-npages|--requires-password %-q|-r|-f|-l|-b|-p|--dpi last
soffice	--outdir -o
svgo	= %-i|--config|--multipass|-p -o --output paths
stylua	= !--check|--version|--dry-run|-|--help|--in-place=0 %--config|--py|-st paths
standard standardrb semistandard	= ?--fix|-F|--reformat|--fix-dangerously %-c|--config 0+
sqlfluff	= @fix|format !--dry-run %--rules|--config|--dialect 0+
swiftformat swift-format	= !-lint|--lint|-dry|--dryrun|lint paths
sops	= ?-i|--in-place|-r|edit|rotate|updatekeys %--age|--pgp|--kms 0+
sops	!-d|--decrypt|decrypt|-e|--encrypt|encrypt|-v|--version|exec-env|exec-file|publish|keyservice|filestatus 0
sops	--output
ssh-keygen	!-l|-y|-F|-R|-H|-e|-B|-D|-Y|-Q -f+
signify	?-S|-G|-Sm -x -p -s -m
setfacl	~ !-l|--reference %-m|-x|-b|-k|--modify|--remove 1+
setfacl	~ %-m|-x|--modify|--remove 0+
socat	*OPEN: *CREATE: *FILE: *open: *create: *file:
sass	*.scss: *.sass:
setfacl	--restore --restore=
syft	= -o~ --file --output
snyk	--json-file-output --sarif-file-output
screen	-Logfile
svn	@export|checkout|co 1
start-stop-daemon supervisord	--pidfile --pid -p -l --logfile --access-logfile --error-logfile --log-file --logto --daemonize -e
screencapture scrot	last
shfmt	=
`,
	`trash-cli	^ 0+
tree	= -o+ --output
tcc	= -o+
tsc	--outFile --outDir --declarationDir --tsBuildInfoFile --generateTrace
thrift	= -o -out --out
typst	@compile|c|watch 1
tex	-output-directory --output-directory -output-directory=
tidy	?-m|-modify|-im|-mi 0+
terraform tofu	= @fmt !-check|--check|-check=true|-diff 0+
terraform tofu	-out -state-out -backup -generate-config-out
taplo	= @fmt|format !--check|--diff 0+
typos	?-w|--write-changes 0+
toml toml-cli	@set|unset 0
tcpdump tshark	-w+
trivy	= -o~ --file --output
trufflehog	= -r --report-path
ttyrec termtosvg	%-c|-t|-e @rec|record 0
ttyrec	%-r|-l|-e 0
tmux	@save-buffer|saveb 0
tiged	last
trace	= -o -C --coverdir
tarfile	= @-c 0
tarfile	-c --create
tarfile	?-e|--extract 1
`,
	`unison	0+
uudecode	-o+
uncompress unpigz unlzma unlz4 unlzop	= !-c|-k|-l|-t|--stdout|--keep|--list %-p|-S|-b 0+
unar	-o --output-directory
unsquashfs	-d --dest --directory
unoconv	--outdir -o
unify	?-i|--in-place 0+
uncrustify	?--replace|--no-backup %-c|-l 0+
unrar	%-p @x|e 1
uftrace	-o --output -d
uv	@pip|export|build|venv -o --output-file --out-dir -t --target
uv	@venv 0
uv	@init 0
universal-ctags	= -f+ -o+
uwsgi	--pidfile --pid -p -l --logfile --access-logfile --error-logfile --log-file --logto --daemonize -e
`,
	`vidir vimv	0+
valac	= -o+
vite	@build --outDir
vault	@agent -config=
valkey-cli	--rdb --functions-rdb
vim vi	-W -w
valgrind	--log-file= --xml-file= --massif-out-file= --callgrind-out-file= --cachegrind-out-file=
vitest	--outputFile --coverageDirectory --coverage.reportsDirectory
vegeta	-output -output=
virtualenv	%-p|--python 0
venv	0+
`,
	`wrangler	@r2 --file
webpack	-o --output-path
wkhtmltopdf wkhtmltoimage weasyprint	= !--check|--show-npages|--requires-password %-q|-r|-f|-l|-b|-p|--dpi last
wget2	-o --output
wget	--warc-file --rejected-log --hsts-file
`,
	`xcp	1+
xattr	?-w|-d|-c|-s last
xorriso	-o 1
xelatex	-output-directory --output-directory -output-directory=
xo	= ?--fix|-F|--reformat|--fix-dangerously %-c|--config 0+
xgettext	= -o+
xh	-o --output
xsltproc	=
`,
	`yasm yacc	= -o+
yamlfmt	= !-lint|--lint|-dry|--dryrun|lint paths
ytt	--output-files
yarn	--pack-destination --prefix --cwd --dir -C
yarn	@pack -o --out --filename
yarn	@init|create 1
`,
	`zile	%-f|-e|-c 0+
zpaq	-to
zpaq	@a|add 0
zig	-femit-bin= -femit-asm= --prefix -p --cache-dir
zola	-d --destination --site-dir -o --output-dir
zopflipng	= %-resize|-quality|-crop|-format|-o paths
zig	@fmt !--check 0+
zipapp	-o --output
zipfile	= @-c 0
zipfile	-c --create
zipfile	?-e|--extract 1
`,
}
