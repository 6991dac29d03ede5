/** A value as JSON has it. */
export type JSONValue = null | boolean | number | string | JSONValue[] | { [name: string]: JSONValue };

/** What a Live Activity shows. */
export interface LiveActivityContent<State = JSONValue> {
  /** What the app's `ContentState` decodes from. */
  state: State;
  /** When it is out of date: ISO 8601 with a zone, or a date; never without it. */
  staleDate?: string | Date | null;
  /** Relative to the app's other Live Activities; 0 without it. */
  relevanceScore?: number;
}

/** How far the life of a Live Activity has come. `unknown` is what a later version of iOS may bring. */
export type LiveActivityState = 'pending' | 'active' | 'stale' | 'ended' | 'dismissed' | 'unknown';

/** A Live Activity in view. */
export interface LiveActivity<Attributes = JSONValue, State = JSONValue> {
  /** ActivityKit's id. */
  id: string;
  /** The name under which its type is registered. */
  attributesType: string;
  /** The same, as code for Airship's bridge reads it. */
  attributeTypes: string;
  state: LiveActivityState;
  content: { state: State; staleDate?: string; relevanceScore: number };
  attributes: Attributes;
}

/** The name of a type. `attributeTypes` is another spelling, with the same meaning. */
export type TypeName =
  | { attributesType: string; attributeTypes?: string }
  | { attributesType?: undefined; attributeTypes: string };

/** The same, where it may be left out: then all types are searched. */
export interface OptionalTypeName {
  attributesType?: string;
  attributeTypes?: string;
}

export type StartRequest<Attributes = JSONValue, State = JSONValue> = TypeName & {
  attributes: Attributes;
  content: LiveActivityContent<State>;
};

export interface UpdateRequest<State = JSONValue> extends OptionalTypeName {
  activityId: string;
  content: LiveActivityContent<State>;
}

/** When an ended Live Activity goes from the Lock Screen: after four hours, at once, or at a moment before that. */
export type DismissalPolicy = { type: 'default' } | { type: 'immediate' } | { type: 'after'; date: string | Date };

export interface EndRequest<State = JSONValue> extends OptionalTypeName {
  activityId: string;
  /** What it shows last; without it, what it shows. */
  content?: LiveActivityContent<State>;
  /** `default` without it. */
  dismissalPolicy?: DismissalPolicy;
}

/** All Live Activities of the registered types at one moment, by their ids. */
export interface LiveActivitiesBody {
  activities: LiveActivity[];
}

/** What can go wrong. Later versions may have more. */
export type LiveActivityErrorCode =
  | 'unavailable'
  | 'notSetUp'
  | 'unknownMethod'
  | 'badRequest'
  | 'requestTooLarge'
  | 'badDismissalPolicy'
  | 'typeNotRegistered'
  | 'typeAlreadyRegistered'
  | 'cardNotFound'
  | 'cardEnded'
  | 'decodingFailed'
  | 'inBackground'
  | 'switchedOff'
  | 'tooManyCards'
  | 'contentTooLarge'
  | 'unsupported'
  | 'startFailed'
  /** The native half is there and did not answer. */
  | 'transportFailed';

/** Why a call did nothing. */
export class LiveActivityError extends Error {
  constructor(code: LiveActivityErrorCode, message: string, options?: { cause?: unknown });
  /** For programs; stable. */
  readonly code: LiveActivityErrorCode;
}

/** How calls reach the native bridge and events come back. */
export interface Transport {
  /** Resolves to the result; rejects with a `LiveActivityError`. */
  call(method: string, params: object): Promise<any>;
  /** Listens until the function that it returns is called. */
  onEvent(listener: (body: LiveActivitiesBody) => void): () => void;
}

/** The app's Live Activities. Every call rejects with a `LiveActivityError`. */
export class LiveActivities {
  constructor(transport: Transport);
  /** Starts one. The app has to be in the foreground. */
  start<Attributes = JSONValue, State = JSONValue>(
    request: StartRequest<Attributes, State>,
  ): Promise<LiveActivity<Attributes, State>>;
  /** Shows other content. */
  update<State = JSONValue>(request: UpdateRequest<State>): Promise<void>;
  /** Ends one. */
  end<State = JSONValue>(request: EndRequest<State>): Promise<void>;
  /** Those of one type that are in view. */
  list(request: TypeName): Promise<LiveActivity[]>;
  /** Those of all registered types that are in view. */
  listAll(): Promise<LiveActivity[]>;
  /** Calls soon, and again at every change, whoever makes it. Returns how to stop. */
  onChange(listener: (body: LiveActivitiesBody) => void): () => void;
}

/** The result in an answer of the bridge, which is JSON text; throws the error in it. For transports of your own. */
export function resultOf(answer: string): any;

/** Over React Native. Give it `NativeModules` and `NativeEventEmitter` of `react-native`. */
export function reactNativeTransport(
  nativeModules: Record<string, any>,
  NativeEventEmitter: new (module: any) => {
    addListener(event: string, listener: (...args: any[]) => void): { remove(): void };
  },
): Transport;

/** Over Capacitor. Give it `registerPlugin('EyotLiveActivities')` of `@capacitor/core`. */
export function capacitorTransport(plugin: {
  call(options: { method: string; request: string }): Promise<{ answer: string }>;
  observe(): Promise<unknown>;
  addListener(
    event: 'changed',
    listener: (data: { body: string }) => void,
  ): Promise<{ remove(): unknown }>;
}): Transport;
