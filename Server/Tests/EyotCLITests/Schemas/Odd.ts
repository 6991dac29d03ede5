// Made by `eyot schema types`. Do not edit it: make it anew when a schema has changed.
// A phone drops what does not decode, without a word.
// From "Odd.schema.json".

/** The attributes of a start. */
export type Odd______Attributes = int;

/** What the cards show: contentState. */
export interface Odd______AttributesContentState {
  "quote\"s'`"?: string;
  "line\nbreak\u2028\u0085"?: string;
  "*/ end /* begin"?: string;
  /** Int: a whole number */
  "\"\"\"\\"?: number;
  /** Int: a whole number */
  "${x}$y"?: number | null;
  __proto__?: string;
  /** Int: a whole number */
  __mangled?: number;
  "_"?: string;
  ""?: string;
  "1st"?: string;
  in: string;
  in_?: string;
  str?: string;
  List?: List;
  /** Int: a whole number */
  score?: number;
  /** Int: a whole number */
  Score?: number;
  /** Int: a whole number */
  "a-b": number;
  /** Int: a whole number */
  a_b?: number;
  "größe"?: string;
  "\u202Eright to left"?: string;
  "smile 😀 \uDB40\uDC01"?: string;
  "*/ choice"?: Odd______AttributesContentState___choice;
  "no case"?: never;
  none?: never;
  /** Int: a whole number */
  keys?: Partial<Record<Odd______AttributesContentStateKeysKey, number>>;
}

/** Exactly one of these members. */
export type Odd______AttributesContentState___choice =
  | { "*/ a\n": Record<string, unknown> }
  | { name: Box_Int_ };

export type Odd______AttributesContentStateKeysKey = "*/" | "\"\n";

export type Type123 = gru00F6u00DFe;

export interface Box_Int_ {
  /** Int: a whole number */
  value: number;
}

export type List = List[];

export type Phase__ = "\"); import os; (\"" | "*/" | "\n" | "name" | "ordinal" | "first" | "First" | "${x}" | "\\" | "" | "class" | "größe" | "\u202E" | "\uDB40\uDC01" | "😀";

export type Type_Hidden = List | null;

/** Int: a whole number */
export type gru00F6u00DFe = number;

export interface int {
  /** Int: a whole number */
  x: number;
  phase?: Phase__;
}
