// Made by `eyot schema types`. Do not edit it: make it anew when a schema has changed.
// A phone drops what does not decode, without a word.
// From "Everything.schema.json".

/** The attributes of a start. */
export interface EverythingAttributes {
  title: string;
  /** UUID */
  order: string;
  /** URL */
  page?: string | null;
  /** Data: base64 */
  key: string;
  venue: EverythingAttributesVenue;
}

export interface EverythingAttributesVenue {
  name: string;
  /** UInt32: a whole number */
  seats?: number | null;
}

/** What the cards show: contentState. */
export interface EverythingAttributesContentState {
  isLive: boolean;
  score: Score;
  phase: Phase;
  level?: Level | null;
  /** Date: seconds since 2001-01-01 UTC */
  kickOff: number;
  numbers: EverythingAttributesContentStateNumbers;
  goals: EverythingAttributesContentStateGoals[];
  events: Event[];
  position: [number, string | null];
  /** Int: a whole number */
  marks: Record<string, number>;
  /** names are whole numbers */
  byShirt: Record<number, string | null>;
  byPhase: Partial<Record<EverythingAttributesContentStateByPhaseKey, Score[]>>;
  /** Int: a whole number */
  idOrName: number | string;
  lists?: (boolean | string)[] | null;
  neverNull?: string;
  maybe?: Maybe;
  nothing: null;
  anything: unknown;
  empty: Record<string, unknown>;
  tree: Tree;
  forest: Forest;
  names: Names;
  class: string;
  "half-time": EverythingAttributesContentStateHalf_time | EverythingAttributesContentStateHalf_time2;
}

export interface EverythingAttributesContentStateNumbers {
  /** Int: a whole number */
  int: number;
  /** Int8: a whole number */
  int8: number;
  /** Int16: a whole number */
  int16: number;
  /** Int32: a whole number */
  int32: number;
  /** Int64: a whole number */
  int64: number;
  /** UInt: a whole number */
  uint: number;
  /** UInt8: a whole number */
  uint8: number;
  /** UInt16: a whole number */
  uint16: number;
  /** UInt32: a whole number */
  uint32: number;
  /** UInt64: a whole number */
  uint64: number;
  float: number;
  double: number;
  decimal: number;
}

export interface EverythingAttributesContentStateGoals {
  by: string;
  /** Int: a whole number */
  minute?: number;
}

export type EverythingAttributesContentStateByPhaseKey = "first" | "second";

export type EverythingAttributesContentStateHalf_time = "yes" | "no";

export type EverythingAttributesContentStateHalf_time2 = 1 | 2;

/** Exactly one of these members. */
export type Event =
  | { goal: EventGoalValues }
  | { card: EventCardValues }
  | { over: Record<string, unknown> };

export interface EventGoalValues {
  by: string;
  /** Date: seconds since 2001-01-01 UTC */
  _0: number;
}

export interface EventCardValues {
  colour: EventCardValuesColour;
}

export type EventCardValuesColour = "yellow" | "red";

export type Forest = { [key: string]: Forest | null };

export type Level = 0 | 1 | -2;

/** Int: a whole number */
export type Maybe = number | null;

export type Names = string[];

export type Phase = "first" | "second" | "full-time";

export interface Score {
  /** Int: a whole number */
  home: number;
  /** Int: a whole number */
  away: number;
}

export interface Tree {
  name: string;
  branches: Tree[];
  parent?: Tree | null;
}
