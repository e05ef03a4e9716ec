// JSON that a person has begun to type. It is not part of the draft yet, but the browser keeps it together with the
// draft.
export type Unfinished = (field: string) => { unfinished: string | undefined; onUnfinished: (text: string | undefined) => void };

export type Texts = Readonly<Record<string, string>>;

export function withText(texts: Texts, field: string, text: string | undefined): Texts {
  const { [field]: _former, ...others } = texts;
  return text === undefined ? others : { ...others, [field]: text };
}
