package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"guardrails/store"
)

// Endpoints returns the endpoints of each tenant, ordered by id. There are few endpoints in a file, so the method reads
// all of them.
func (s *Store) Endpoints(ctx context.Context, tenants ...string) ([][]store.Endpoint, error) {
	byTenant := map[string][]store.Endpoint{}
	for _, tenant := range tenants {
		if err := store.CheckTenant(tenant); err != nil {
			return nil, err
		}
		byTenant[tenant] = []store.Endpoint{}
	}
	err := s.read(ctx, "", func(v *view) error {
		const find = "SELECT n.text, e.body FROM endpoint e JOIN name n ON n.id = e.tenant ORDER BY e.id"
		return eachRow(ctx, v, find, nil, func(scan func(...any) error) error {
			var tenant, body string
			if err := scan(&tenant, &body); err != nil || byTenant[tenant] == nil {
				return err
			}
			e, err := decodeWebhook[store.Endpoint](s, body)
			byTenant[tenant] = append(byTenant[tenant], e)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	out := make([][]store.Endpoint, len(tenants))
	for i, tenant := range tenants {
		out[i] = byTenant[tenant]
	}
	return out, nil
}

// EndpointTenants returns the tenants that have endpoints.
func (s *Store) EndpointTenants(ctx context.Context) (tenants []string, err error) {
	err = s.read(ctx, "", func(v *view) error {
		const find = "SELECT DISTINCT n.text FROM endpoint e JOIN name n ON n.id = e.tenant ORDER BY n.text"
		return eachRow(ctx, v, find, nil, func(scan func(...any) error) error {
			var tenant string
			err := scan(&tenant)
			tenants = append(tenants, tenant)
			return err
		})
	})
	return tenants, err
}

func decodeWebhook[T any](s *Store, body string) (item T, err error) {
	if err := json.Unmarshal([]byte(body), &item); err != nil {
		return item, store.Errorf(store.Internal,
			"the database %s has a damaged webhook; another program has probably changed the file; restore a backup: %w",
			s.file.path, err)
	}
	return item, nil
}

// bodies() decodes the bodies that a query returns.
func bodies[T any](v *view, query string, args ...any) ([]T, error) {
	out := []T{}
	err := eachRow(v.ctx, v, query, args, func(scan func(...any) error) error {
		var body string
		if err := scan(&body); err != nil {
			return err
		}
		item, err := decodeWebhook[T](v.store, body)
		out = append(out, item)
		return err
	})
	return out, err
}

// writeTenant runs f in a transaction, and passes the number of the tenant to f.
func (s *Store) writeTenant(ctx context.Context, tenant string, f func(t *tx, tenant int64) error) error {
	if err := store.CheckTenant(tenant); err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		id, err := t.number(tenant)
		if err != nil {
			return err
		}
		return f(t, id)
	})
}

// PutEndpoint creates or replaces an endpoint.
func (s *Store) PutEndpoint(ctx context.Context, tenant string, e store.Endpoint) (store.Endpoint, error) {
	err := s.writeTenant(ctx, tenant, func(t *tx, id int64) error {
		current := 0
		err := t.row("SELECT version FROM endpoint WHERE tenant = ? AND id = ?", id, e.ID)(&current)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if current != e.Version {
			return store.EndpointConflict(e.ID, current)
		}
		e.Version++
		body, err := store.EncodeWebhook(e)
		if err != nil {
			return err
		}
		_, err = t.exec("INSERT INTO endpoint (tenant, id, version, body) VALUES (?, ?, ?, ?) "+
			"ON CONFLICT (tenant, id) DO UPDATE SET version = excluded.version, body = excluded.body", id, e.ID, e.Version, body)
		return err
	})
	return e, err
}

// Lease makes a dispatcher the only dispatcher of a tenant for the duration d. The parameter "holder" is the name of
// this dispatcher.
func (s *Store) Lease(ctx context.Context, tenant, holder string, d time.Duration) (held bool, err error) {
	err = s.writeTenant(ctx, tenant, func(t *tx, id int64) error {
		written, err := t.exec("INSERT INTO lease (tenant, holder, until) VALUES (?, ?, ?) "+
			"ON CONFLICT (tenant) DO UPDATE SET holder = excluded.holder, until = excluded.until "+
			"WHERE lease.holder = excluded.holder OR lease.until <= ?",
			id, holder, t.now.Add(d).UnixMilli(), t.now.UnixMilli())
		if err != nil {
			return err
		}
		count, err := written.RowsAffected()
		held = count > 0 && d > 0
		return err
	})
	return held, err
}

// Follow returns the decisions that Append added after a given decision. The parameter "after" is the number of that
// decision.
func (s *Store) Follow(
	ctx context.Context, tenant string, after int64, limit int,
) (entries []store.Entry, last int64, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		var chain int64
		const find = "SELECT c.id, c.seq FROM chain c JOIN identity i ON i.name = c.writer WHERE c.tenant = ? AND c.kind = ?"
		err := v.QueryRowContext(ctx, find, v.tenant, string(store.KindDecision)).Scan(&chain, &last)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		const read = "SELECT body, hash FROM entry WHERE chain = ? AND seq > ? ORDER BY seq LIMIT ?"
		return eachRow(ctx, v, read, []any{chain, after, limit}, func(scan func(...any) error) error {
			e, err := scanEntry(scan)
			entries = append(entries, e)
			return err
		})
	})
	return entries, last, err
}

// Marks returns the marks of a tenant's endpoints. A mark says which decisions the dispatcher has already processed for
// one endpoint.
func (s *Store) Marks(ctx context.Context, tenant string) (out []store.Mark, err error) {
	err = s.read(ctx, tenant, func(v *view) error {
		out, err = bodies[store.Mark](v, "SELECT m.body FROM mark m JOIN endpoint e ON e.tenant = m.tenant AND e.id = m.endpoint "+
			"WHERE m.tenant = ? ORDER BY m.endpoint", v.tenant)
		return err
	})
	return out, err
}

// Queue adds deliveries and replaces marks.
func (s *Store) Queue(ctx context.Context, tenant string, deliveries []store.Delivery, marks ...store.Mark) error {
	return s.writeTenant(ctx, tenant, func(t *tx, id int64) error {
		for i := range deliveries {
			if err := t.putDelivery(id, &deliveries[i], "DO NOTHING"); err != nil {
				return err
			}
		}
		for i := range marks {
			body, err := store.EncodeWebhook(marks[i])
			if err != nil {
				return err
			}
			if _, err := t.exec("INSERT INTO mark (tenant, endpoint, body) VALUES (?, ?, ?) "+
				"ON CONFLICT (tenant, endpoint) DO UPDATE SET body = excluded.body", id, marks[i].Endpoint, body); err != nil {
				return err
			}
		}
		return nil
	})
}

// SaveDelivery replaces a delivery.
func (s *Store) SaveDelivery(ctx context.Context, tenant string, d store.Delivery) error {
	return s.writeTenant(ctx, tenant, func(t *tx, id int64) error {
		return t.putDelivery(id, &d, "DO UPDATE SET due = excluded.due, body = excluded.body")
	})
}

func (t *tx) putDelivery(tenant int64, d *store.Delivery, onConflict string) error {
	body, err := store.EncodeWebhook(d)
	if err != nil {
		return err
	}
	var due any
	if !d.Due.IsZero() {
		due = d.Due.UnixMilli()
	}
	_, err = t.exec("INSERT INTO delivery (tenant, id, endpoint, created, due, body) VALUES (?, ?, ?, ?, ?, ?) "+
		"ON CONFLICT (tenant, id) "+onConflict, tenant, d.ID, d.Endpoint, d.Created.UnixMilli(), due, body)
	return err
}

// deliveryPlace is the place of a delivery in a list: its time of creation or its due time, and its id.
type deliveryPlace struct {
	Time int64  `json:"t"`
	ID   string `json:"i"`
}

// Deliveries returns one page of deliveries.
func (s *Store) Deliveries(
	ctx context.Context, tenant string, q store.DeliveryQuery,
) (page store.Page[store.Delivery], err error) {
	pager, err := store.NewPager[deliveryPlace](q.Paging, "sqlite deliveries", tenant, q.Endpoint, q.ID, q.Due)
	if err != nil {
		return page, err
	}
	column, direction, than := "created", "DESC", "<"
	if !q.Due.IsZero() {
		column, direction, than = "due", "ASC", ">"
	}
	found, total := []store.Delivery{}, 0
	err = s.read(ctx, tenant, func(v *view) error {
		where := deliveryConditions(v.tenant, &q)
		if pager.Place == nil {
			count := "SELECT count(*) FROM delivery WHERE " + where.text()
			if err := v.QueryRowContext(ctx, count, where.args...).Scan(&total); err != nil {
				return err
			}
		} else {
			where.add("("+column+", id) "+than+" (?, ?)", pager.Place.Time, pager.Place.ID)
		}
		query := "SELECT body FROM delivery WHERE " + where.text() + " ORDER BY " + column + " " + direction + ", id " + direction +
			" LIMIT ? OFFSET ?"
		found, err = bodies[store.Delivery](v, query, append(where.args, pager.Limit(), pager.Skip())...)
		return err
	})
	if err != nil {
		return page, err
	}
	return store.PageOf(&pager, found, total, func(i int) deliveryPlace {
		if q.Due.IsZero() {
			return deliveryPlace{found[i].Created.UnixMilli(), found[i].ID}
		}
		return deliveryPlace{found[i].Due.UnixMilli(), found[i].ID}
	})
}

func deliveryConditions(tenant int64, q *store.DeliveryQuery) *conditions {
	c := new(conditions)
	c.add("tenant = ?", tenant)
	if q.Endpoint != "" {
		c.add("endpoint = ?", q.Endpoint)
	}
	if q.ID != "" {
		c.add("id = ?", q.ID)
	}
	if !q.Due.IsZero() {
		c.add("due <= ?", q.Due.UnixMilli())
	}
	return c
}

// PruneDeliveries deletes old deliveries.
func (s *Store) PruneDeliveries(ctx context.Context, tenant string, before time.Time, keep int) (deleted int64, err error) {
	err = s.writeTenant(ctx, tenant, func(t *tx, id int64) error {
		gone, err := t.exec("DELETE FROM delivery WHERE tenant = ?1 AND (created < ?2 OR due IS NULL AND row NOT IN "+
			"(SELECT row FROM delivery WHERE tenant = ?1 ORDER BY created DESC, id DESC LIMIT ?3))", id, before.UnixMilli(), keep)
		if err != nil {
			return err
		}
		deleted, err = gone.RowsAffected()
		return err
	})
	return deleted, err
}
