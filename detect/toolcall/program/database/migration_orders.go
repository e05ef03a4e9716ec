package database

const migrationFlags = `	values  schema c config url database path dir env e source name d dataSource
	quiet   help h dry-run sql
`

// dropTasks are the names of framework tasks that delete all data.
const dropTasks = "db:drop|db:reset|db:drop:all|db:drop:_unsafe|db:purge|db:migrate:reset|db:schema:load|db:truncate_all|" +
	"db:seed:replant|db:setup|migrate:fresh|migrate:reset|migrate:refresh|db:wipe|flush|reset_db|ecto.drop|ecto.reset|" +
	"drop-database|doctrine:database:drop|doctrine:schema:drop|orm:schema-tool:drop|schema:drop|schema:fresh|" +
	"db:migrate:undo:all|sql-drop|site:install"

// migrationOrders lists the subcommands of tools that change the structure of a database.
const migrationOrders = `
prisma
` + migrationFlags + `	migrate reset                             marks destructive_op deletes the data of the database
	db push +force-reset|accept-data-loss     marks destructive_op deletes the data of the database
	migrate deploy                            marks deploy migrates a running database
	db execute                                code input
	db push                                   looks
	*                                         unlisted

alembic
` + migrationFlags + `	*                                         unlisted

knex
` + migrationFlags + `	migrate:rollback +all                     marks destructive_op deletes the data of the database
	*                                         unlisted

flyway
` + migrationFlags + `	clean                                     marks destructive_op deletes the data of the database
	*                                         unlisted

liquibase
` + migrationFlags + `	drop-all|dropAll                          marks destructive_op deletes the data of the database
	*                                         unlisted

migrate dbmate atlas
` + migrationFlags + `	drop                                      marks destructive_op deletes the data of the database
	down +-all                                marks destructive_op deletes the data of the database
	schema clean                              marks destructive_op deletes the data of the database
	*                                         unlisted

drizzle-kit
` + migrationFlags + `	drop                                      marks destructive_op deletes the data of the database
	*                                         unlisted

sequelize sequelize-cli typeorm mikro-orm sqitch phinx doctrine
` + migrationFlags + `	` + dropTasks + `  marks destructive_op deletes the data of the database
	*                                         unlisted
`
