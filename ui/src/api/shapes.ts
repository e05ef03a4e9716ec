// The shapes of the API. npm run types generates schema.ts from docs/openapi.json.
import type { components, paths } from "./schema";

type Schemas = components["schemas"];

export type Guideline = Schemas["Guideline"];
export type GuidelineCreate = Schemas["GuidelineCreate"];
export type GuidelineUpdate = Schemas["GuidelineUpdate"];
export type GuidelineList = Schemas["GuidelineList"];
export type Condition = Schemas["Condition"];
export type Action = Schemas["Action"];
export type Revision = Schemas["Revision"];
export type AuditEntry = Schemas["AuditEntry"];
export type AuditList = Schemas["AuditList"];
export type CallVerdict = Schemas["CallVerdict"];
export type Effect = CallVerdict["effects"][number];
export type EvaluatedContext = Schemas["EvaluatedContext"];
export type Explanation = Schemas["Explanation"];
export type TaskContext = Schemas["TaskContext"];
export type ToolCall = Schemas["ToolCall"];
export type ImportResult = Schemas["ImportResult"];
export type ImportItem = ImportResult["items"][number];
export type Problem = Schemas["Problem"];
export type Mistake = NonNullable<Problem["errors"]>[number];
export type Stats = Schemas["Stats"];
export type Verification = Schemas["Verification"];
export type Category = Guideline["category"];
export type ListQuery = NonNullable<paths["/api/guardrails"]["get"]["parameters"]["query"]>;
export type AuditQuery = NonNullable<paths["/api/guardrails/audit"]["get"]["parameters"]["query"]>;

export type Session = Schemas["Session"];
export type Role = Session["role"];

export type Lint = Schemas["LintReport"];
export type Vocabularies = Schemas["Vocabularies"];
export type Preview = Schemas["Preview"];
export type ConditionTest = Schemas["ConditionTested"];
export type PathTest = Schemas["PathsTested"];
export type ToolTest = Schemas["ToolsTested"];
export type Summary = Schemas["Summary"];
export type ReplayLine = Schemas["ReplayLine"];
export type ReplayGroup = ReplayLine["groups"][number];
export type SessionList = Schemas["SessionList"];
export type SessionRow = SessionList["sessions"][number];
export type PackList = Schemas["PackList"];
export type Pack = PackList["packs"][number];
export type PackCopy = Schemas["PackCopy"];
export type Token = Schemas["Token"];
export type TokenList = Schemas["TokenList"];
export type Settings = Schemas["Settings"];
export type Policies = Schemas["Policies"];
export type PolicyTrace = Schemas["PolicyTrace"];
export type PolicyReport = Schemas["PolicyReport"];
export type MessageAnswer = Schemas["MessageAnswer"];
export type Webhook = Schemas["Webhook"];
export type WebhookSecret = Schemas["WebhookSecret"];
export type WebhookList = Schemas["WebhookList"];
export type Delivery = Schemas["Delivery"];
export type DeliveryList = Schemas["DeliveryList"];
