package service

import (
	"fmt"
	"slices"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/service/guidelinefiles"
)

// The kinds of places that guidelines come from.
const (
	// PlaceFile is a guideline file. PlaceRule is a Markdown rule of the client. PlacePack is a built-in pack.
	PlaceFile = "file"
	PlaceRule = "rule"
	PlacePack = "pack"
	// PlaceStore is the store. PlaceServer is a guardrails server.
	PlaceStore  = "store"
	PlaceServer = "server"
)

// Place is where a guideline is defined.
type Place struct {
	Kind string `json:"kind"`
	// Layer is the layer that the guideline belongs to.
	Layer string `json:"layer,omitempty"`
	// File is the path of a file, relative to the project if it is inside the project. Line is the line at which the
	// guideline begins.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Pack is the name of a pack.
	Pack string `json:"pack,omitempty"`
	// Address is the location of a store or the URL of a server.
	Address string `json:"address,omitempty"`
	// If the guideline is in a store, ProjectID is the project that it belongs to. AllProjects is set if it belongs to all
	// projects.
	ProjectID   string `json:"project_id,omitempty"`
	AllProjects bool   `json:"all_projects,omitempty"`
	// Version is the version of a guideline in a store.
	Version int `json:"version,omitempty"`
}

func (b *rulebook) place(root, layer string, g *rules.Source) Place {
	p := Place{Kind: PlaceFile, Layer: layer}
	switch {
	case guidelinefiles.IsFromPack(g):
		p.Kind, p.Pack = PlacePack, guidelinefiles.PackOf(g)
		return p
	case b.settings.Server != nil && g.Origin.File == b.settings.Server.URL:
		p.Kind, p.Address = PlaceServer, g.Origin.File
	case b.store.from != nil && g.Origin.File == b.store.from.Location():
		p.Kind, p.Address = PlaceStore, g.Origin.File
	case guidelinefiles.IsClientRule(g):
		p.Kind = PlaceRule
	}
	switch p.Kind {
	case PlaceStore, PlaceServer:
		p.ProjectID, p.AllProjects, p.Version = g.ProjectID, g.ProjectID == "", g.Version
	default:
		p.File, p.Line = origin(root, g), g.Origin.Line
	}
	return p
}

// String describes the place in a few words.
func (p *Place) String() string {
	switch p.Kind {
	case PlacePack:
		return "pack " + p.Pack
	case PlaceServer:
		return "server " + p.Address
	case PlaceStore:
		return fmt.Sprintf("store v%d, %s", p.Version, p.owner())
	}
	return p.inFile()
}

func (p *Place) inFile() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return p.File
}

func (p *Place) owner() string {
	if p.AllProjects {
		return "all projects"
	}
	return "project " + p.ProjectID
}

// Remedy says how a person can change a guideline that is not in the store.
func (p *Place) Remedy() string {
	switch {
	case p.Kind == PlaceServer:
		return "change it on that server"
	case p.Layer == config.Managed && p.Kind == PlacePack:
		return "only the administrator of this computer can change the packs of this layer"
	case p.Layer == config.Managed:
		return "only the administrator of this computer can edit that file"
	}
	return "edit that file; enabled: false switches the guideline off"
}

// InForce is a guideline with the place where it is defined.
type InForce struct {
	rules.Source `json:"-"`
	Origin       Place `json:"origin"`
	// The field Hides lists other definitions with the same id. These other definitions do not apply.
	Hides []Place `json:"hides,omitempty"`
}

// FindInForce returns the guideline with the given id. If there is none, it returns the guideline that has this id as
// an alias. If there is no such guideline either, it returns nil.
func FindInForce(list []InForce, id string) *InForce {
	return findBy(list, id, func(g *InForce) *guideline.Guideline { return &g.Guideline })
}

// hiddenSource is a definition that does not apply, because another definition has the same id.
type hiddenSource struct {
	rules.Source
	layer string
}

func (b *rulebook) hide(layer string, sources ...rules.Source) {
	for i := range sources {
		b.hidden = append(b.hidden, hiddenSource{sources[i], layer})
	}
}

// inLayer is a guideline with the name of its layer.
type inLayer struct {
	*rules.Source
	layer string
}

// all() returns the guidelines of all layers, including disabled ones.
func (b *rulebook) all() []inLayer {
	out := make([]inLayer, 0, b.count())
	for i := range b.layers {
		for _, g := range b.layers[i].guidelines {
			out = append(out, inLayer{g, b.layers[i].Name})
		}
	}
	return out
}

// inForce returns the guidelines of all layers with their places, including disabled ones.
func (b *rulebook) inForce(root string) []InForce {
	var out []InForce
	for _, g := range b.all() {
		out = append(out, b.inForceAt(root, &g))
	}
	return out
}

func (b *rulebook) inForceAt(root string, g *inLayer) InForce {
	return InForce{Source: *g.Source, Origin: b.place(root, g.layer, g.Source), Hides: b.hiddenBy(root, g.Source)}
}

// hiddenBy returns the definitions that a guideline hides. It leaves out an identical definition in a pack, because
// several layers can use the same pack.
func (b *rulebook) hiddenBy(root string, g *rules.Source) []Place {
	var out []Place
	for i := range b.hidden {
		h := &b.hidden[i]
		if h.ID != g.ID || guidelinefiles.IsFromPack(&h.Source) && sameContent(&h.Guideline, &g.Guideline) {
			continue
		}
		if p := b.place(root, h.layer, &h.Source); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}
