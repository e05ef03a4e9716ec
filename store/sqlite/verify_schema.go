package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// compareSchema finds triggers and other parts of the schema that guardrails did not create, and parts that are
// missing. A trigger could change what is written later.
func (v *view) compareSchema(found func(why string)) (err error) {
	empty, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, empty.Close()) }()
	empty.SetMaxOpenConns(1)
	for _, step := range migrations() {
		if _, err := empty.ExecContext(v.ctx, step); err != nil {
			return err
		}
	}
	want, err := schemaOf(v.ctx, empty)
	if err != nil {
		return err
	}
	got, err := schemaOf(v.ctx, v)
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want[name] != got[name] {
			found(fmt.Sprintf("another program created or changed the %s of the database", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if _, exists := got[name]; !exists {
			found(fmt.Sprintf("the %s of the database is missing", name))
		}
	}
	return err
}

// schemaOf returns the statements that created the tables, indices, triggers and views of a database. The key of a
// statement is the type and the name of what it created.
func schemaOf(ctx context.Context, q querier) (map[string]string, error) {
	out := map[string]string{}
	const find = "SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
	err := eachRow(ctx, q, find, nil, func(scan func(...any) error) error {
		var kind, name, text string
		err := scan(&kind, &name, &text)
		out[kind+" "+name] = text
		return err
	})
	return out, err
}
