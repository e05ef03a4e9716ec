package database

const migrationFlags = `	values  schema c config url database path dir env e source name d dataSource file
	quiet   help h dry-run sql
`

// The constant "frameworks" lists the command-line tools of web frameworks.
const frameworks = "rails artisan manage.py django-admin flask wp drush console spark ecto diesel sqlx hanami ace"

// dropTasks lists the framework tasks that delete all data.
const dropTasks = "db:drop|db:reset|db:drop:all|db:drop:_unsafe|db:purge|db:migrate:reset|db:schema:load|db:truncate_all|" +
	"db:seed:replant|db:setup|migrate:fresh|migrate:reset|migrate:refresh|db:wipe|flush|reset_db|ecto.drop|ecto.reset|" +
	"drop-database|doctrine:database:drop|doctrine:schema:drop|orm:schema-tool:drop|schema:drop|schema:fresh|" +
	"db:structure:load|sql-drop|sql:drop|site:install|flywayclean|flyway:clean|flywayundo|dropall|liquibase:dropAll"

// migrationOrders lists the subcommands of tools that change the structure of a database.
const migrationOrders = `
prisma
` + migrationFlags + `	migrate reset                             marks destructive_op deletes the data of the database
	db push +force-reset|accept-data-loss     marks destructive_op deletes the data of the database
	migrate deploy                            marks deploy migrates a running database
	migrate resolve                           marks destructive_op changes the record of migrations:
	db execute                                code statements
	db push                                   looks
	*                                         unlisted

` + frameworks + `
	values  e env environment settings database path p c command execute file
	quiet   help h pretend dump-sql
	` + dropTasks + `  marks destructive_op deletes the data of the database
	db reset|drop|clean|import                marks destructive_op deletes the data of the database
	site empty                                marks destructive_op deletes the data of the database
	queue:clear|horizon:clear +force          marks destructive_op deletes jobs:
	key:generate|jwt:secret|passport:keys +force  marks destructive_op replaces the key of encrypted data
	doctrine:migrations:migrate|migrations:migrate first|prev|0  marks destructive_op undoes migrations, which can lose data
	doctrine:migrations:execute|migrations:execute +down  marks destructive_op undoes migrations, which can lose data
	doctrine:migrations:version|migrations:version +add|delete  marks destructive_op changes the record of migrations:
	secrets:decrypt-to-local +force           reveals
	secrets:reveal                            reveals
	secrets:list +reveal                      reveals
	sql:sync|sql-sync * @self|@local|@dev|@test  looks
	sql:sync|sql-sync                         marks destructive_op replaces a database
	user create +role=administrator           grants
	search-replace +dry-run                   looks
	search-replace +ssh|network               marks destructive_op changes all data of a site
	@self|@local|@dev|@test *                 unlisted
	@* search-replace +dry-run                looks
	@* search-replace                         marks destructive_op changes all data of a site
	@* * activate|deactivate|install|update|set|switch|import|clear  changes
	routes|notes|stats|about                  looks
	post|comment delete +force                marks destructive_op deletes posts for good
	config get *PASSWORD|*KEY|*SALT           reveals
	database drop|reset                       marks destructive_op deletes the data of the database
	test|test:*                               tests
	migrate +fake                             looks
	` + codeTasks + `  code framework-code
	dbconsole|dbshell                         code statements
	db -                                      code statements
	db query                                  code statements
	sql:query|sqlq|sql-query|sql:cli|sqlc|sql-cli  code statements
	dbal:run-sql|doctrine:query:sql|doctrine:query:dql  code statements
	createsuperuser                           marks privilege_escalation creates an administrator account in the application
	credentials:show                          reveals
	credentials:edit|encrypted:edit           code edit-secrets
	destroy|d|generate|g                      looks
	*                                         unlisted

migrate
	words
	values  path database source prefetch lock-timeout
	force +~localhost|127.0.0.1               looks
	force                                     marks destructive_op changes the record of migrations:
	*                                         unlisted

flyway atlas
` + migrationFlags + `	clean                                     marks destructive_op deletes the data of the database
	repair|baseline +~localhost|127.0.0.1  looks
	repair|baseline                           marks destructive_op changes the record of migrations:
	schema clean                              marks destructive_op deletes the data of the database
	schema apply +~localhost|127.0.0.1|sqlite  looks
	schema apply +auto-approve                marks destructive_op changes the structure of the database, which can lose data
	*                                         unlisted

liquibase
	values  defaults-file defaultsFile changelog-file changeLogFile url username password classpath sql sql-file tag
	quiet   help h
	execute-sql                               code statements
	*-sql|*SQL                                looks
	changelog-sync*|changelogSync*|clear-checksums|mark-next-*  marks destructive_op changes the record of migrations:
	*                                         unlisted

dbt
	values  t target s select m models exclude profile profiles-dir project-dir vars
	run|build|seed +full-refresh +target=prod*  marks destructive_op builds tables of production again
	run|build|seed +full-refresh +t=prod*     marks destructive_op builds tables of production again
	*                                         unlisted

tern
	values  c config m migrations d destination
	migrate +d=0|destination=0                marks destructive_op undoes migrations, which can lose data
	*                                         unlisted

umzug
	down                                      marks destructive_op undoes migrations, which can lose data
	*                                         unlisted

drizzle-kit
	push +force                               marks destructive_op deletes the data of the database
	push                                      looks
	*                                         unlisted

sequelize sequelize-cli typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm mikro-orm sqitch phinx doctrine
` + migrationFlags + `	` + dropTasks + `  marks destructive_op deletes the data of the database
	*                                         unlisted
`
