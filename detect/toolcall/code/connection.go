package code

// connection.go recognizes databases for tests, databases in memory, and services on this machine. The loss of their
// data does not matter.

import (
	"strings"

	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The type "connections" counts the databases and services to which the code has connected.
type connections struct {
	tests  int // databases and services that hold only data for tests
	locals int // databases on this machine that may hold more than test data
	others int
	// The field "foreign" counts the databases and services that are on another machine, are at an unknown address, or
	// have "prod" in their name. The field "others" also counts these databases and services.
	foreign int
	// The field "production" is set if the code has connected to a database in production.
	production bool
}

// Functions with one of these names connect to a database or a service. A service on this machine counts as a test
// service, because its data can be created again.
const (
	databaseConnectors = "connect create_engine create_async_engine createConnection createPool Pool Client MongoClient " +
		"AsyncIOMotorClient dbConnect establish_connection Sequelize DataSource knex Database better-sqlite3 SqliteDatabase PersistentClient PDO mysqli"
	serviceConnectors = "Redis StrictRedis from_url client resource Elasticsearch OpenSearch KafkaAdminClient AdminClient " +
		"createClient QdrantClient HttpClient S3Client BlobServiceClient from_connection_string from_container_url from_blob_url"
)

// noteConnection counts a connection if the function with this name opens a connection.
func (in *interpreter) noteConnection(name string, args value.Value) {
	last := words.AfterLast(strings.TrimSuffix(name, ".new"), ".")
	service := last == words.Among(last, serviceConnectors)
	if !service && last != words.Among(last, databaseConnectors) && !words.OneOf(name, "chromadb.EphemeralClient "+
		"Sequel.postgres Sequel.mysql2 Sequel.tinytds Sequel.oracle Sequel.jdbc Sequel.ado Sequel.sqlite") {
		return
	}
	if last == "dbConnect" && len(args.Items) > 0 {
		args = &value.Data{List: true, Items: args.Items[1:], Pairs: args.Pairs} // the first argument is the driver
	}
	var c connection
	c.test = len(args.Items)+len(args.Pairs) == 0 &&
		name == words.Among(name, "duckdb.connect chromadb.Client chromadb.EphemeralClient")
	in.readConnection(&c, "", args, 0)
	if c.foreign {
		in.connected.foreign++
	}
	in.connected.production = in.connected.production || c.production
	switch {
	case c.foreign || !c.test && !c.local:
		in.connected.others++
	case c.test || service:
		in.connected.tests++
	default:
		in.connected.locals++
	}
}

// The type "connection" holds what the arguments of a call show about a database or a service.
type connection struct{ test, local, foreign, production bool }

// readConnection reads an argument of a call, or an entry of a dictionary. A database with an unknown argument counts
// as foreign.
func (in *interpreter) readConnection(c *connection, key string, v value.Value, depth int) {
	if depth > 3 || v.Function != nil || v.Number {
		return
	}
	if in.isFake(v) {
		c.test = true
		return
	}
	for _, item := range v.Items {
		in.readConnection(c, key, item, depth+1)
	}
	for _, p := range v.Pairs {
		if namesDatabase(p.Key) || namesHost(p.Key) || len(p.Value.Pairs) > 0 {
			in.readConnection(c, p.Key, p.Value, depth+1)
		}
	}
	switch {
	case v.List || len(v.Pairs) > 0:
	case !v.Known:
		c.foreign = true
	default:
		in.readAddress(c, key, v.Text)
	}
}

// readAddress reads a text that is a URL, a host, or the name or file of a database. The text may also contain a host
// together with the name of a database, as in "host=x dbname=y".
func (in *interpreter) readAddress(c *connection, key, text string) {
	scheme, rest, _ := strings.Cut(text, ":")
	host, name := "", ""
	if scheme == "file" {
		text, _, _ = strings.Cut(rest, "?") // as in file:x.db?mode=ro
	}
	switch {
	case strings.Contains(text, ":memory:") || text == "sqlite://":
		c.test = true
		return
	case strings.HasPrefix(scheme, "sqlite") && rest != "" || strings.HasPrefix(scheme, "duckdb") && rest != "":
		name = strings.TrimPrefix(strings.TrimPrefix(rest, "//"), "/")
	case strings.Contains(text, "://"):
		host = trace.HostOf(text)
		_, name, _ = strings.Cut(rest[2:], "/")
		name, _, _ = strings.Cut(name, "?")
	case strings.Contains(text, "="):
		for _, field := range strings.Fields(strings.ReplaceAll(text, ";", " ")) {
			option, setting, _ := strings.Cut(field, "=")
			if option = words.AfterLast(option, ":"); namesDatabase(option) || namesHost(option) {
				in.readAddress(c, option, setting)
			}
		}
		return
	case namesHost(key) || trace.IsLoopback(trace.HostOf(text)):
		host = trace.HostOf(text)
	default:
		name = text
	}
	file := trace.Value{Text: name}
	if p := in.Trace.Place(file, in.Command.Scope); host == "" && p.Secret {
		in.Trace.Read(file, in.Command.Scope, in.Command.Span)
	}
	c.local = c.local || trace.IsLoopback(host)
	c.production = c.production || program.IsProduction(host) || host != "" && trace.IsForeign(host) && program.IsProduction(name)
	c.foreign = c.foreign || trace.IsForeign(host) || strings.Contains(name, "prod")
	c.test = c.test || database.NamesTestData(trace.BaseName(name)) || in.isTemporaryFile(name)
}

// isTemporaryFile reports whether a database is a file in a folder for temporary files.
func (in *interpreter) isTemporaryFile(name string) bool {
	if !strings.Contains(name, "/") {
		return false
	}
	p := in.Trace.Place(trace.Value{Text: name}, in.Command.Scope)
	return p.Zone == trace.Scratch && !p.Guard
}

func namesDatabase(key string) bool {
	return key == words.Among(key, "database dbname db db_name path storage filename connection dsn conninfo")
}

func namesHost(key string) bool {
	return key == words.Among(key, "host hostname hosts server url uri endpoint endpoint_url bootstrap_servers bootstrap.servers brokers "+
		"node connectionString")
}

// usesTests reports whether the code has connected to test databases only.
func (c *connections) usesTests() bool { return c.tests > 0 && c.others == 0 && c.locals == 0 }

// sparesData reports whether a method of a library deletes only test data, or deletes nothing because of an option such
// as DryRun=True. The data in a database on this machine counts as test data if one of the string literals in the code
// is a name for test data.
func (in *interpreter) sparesData(self value.Value, method string, args value.Value) bool {
	if onlyTries(args) {
		return true
	}
	c := &in.connected
	model := (in.Language == trace.Ruby || in.Language == trace.PHP) && self.Name != "" && self.Name[0] >= 'A' && self.Name[0] <= 'Z' &&
		!in.connectsModels()
	if c.others+c.tests+c.locals == 0 && self.Kind != value.CloudObject &&
		program.UsesTestDatabase(in.Trace, in.Command.Scope) {
		return true
	}
	if c.others > 0 || c.tests+c.locals == 0 || model {
		return false
	}
	if name := value.Argument(args, 0); name.Known && strings.Contains(strings.ToLower(method), "database") {
		return database.NamesTestData(name.Text)
	}
	if c.locals == 0 {
		return true
	}
	for _, text := range in.literals.texts {
		if database.NamesTestData(text) && !strings.ContainsAny(text, " \n") {
			return true
		}
	}
	return false
}

// connectsModels reports whether the code itself surely connects the models of ActiveRecord to a database, and loads no
// application that may also connect them.
func (in *interpreter) connectsModels() bool {
	return strings.Contains(in.source, "establish_connection(") &&
		in.lacks("def if unless && || ? load connects_to connected_to connection_handler") &&
		strings.Count(in.source, "establish_connection") == 1 && strings.Count(in.source, "require") == 1 && !strings.Contains(in.Trace.Source, "-r")
}
