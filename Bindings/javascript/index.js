/** Why a call did nothing. `code` is for programs, `message` for people. */
export class LiveActivityError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.name = 'LiveActivityError';
    this.code = code;
  }
}

/** The app's Live Activities, over a transport to the native bridge. */
export class LiveActivities {
  #transport;
  /** Subscriptions, not functions: the same function may listen twice. */
  #subscriptions = new Set();
  #stopEvents = null;
  #lastBody = null;

  constructor(transport) {
    this.#transport = transport;
  }

  start(request) {
    return this.#transport.call('start', request);
  }

  async update(request) {
    await this.#transport.call('update', request);
  }

  async end(request) {
    await this.#transport.call('end', request);
  }

  list(request) {
    return this.#transport.call('list', request);
  }

  listAll() {
    return this.#transport.call('listAll', {});
  }

  /** Calls with `{activities}` soon, and again at every change, until the function that it returns is called. */
  onChange(listener) {
    const subscription = { listener, isTold: false };
    this.#subscriptions.add(subscription);
    if (this.#stopEvents === null) {
      this.#stopEvents = this.#transport.onEvent((body) => this.#tell(body));
    } else if (this.#lastBody !== null) {
      // The first body came before this listener did.
      queueMicrotask(() => {
        if (!subscription.isTold && this.#subscriptions.has(subscription)) this.#tellOne(subscription, this.#lastBody);
      });
    }
    return () => this.#unsubscribe(subscription);
  }

  #tell(body) {
    // What arrives after the last listener has gone is nobody's.
    if (this.#subscriptions.size === 0) return;
    this.#lastBody = body;
    const failures = [];
    for (const subscription of [...this.#subscriptions]) {
      // One may have been taken away by another.
      if (!this.#subscriptions.has(subscription)) continue;
      try {
        this.#tellOne(subscription, body);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  #tellOne(subscription, body) {
    subscription.isTold = true;
    subscription.listener(body);
  }

  #unsubscribe(subscription) {
    if (!this.#subscriptions.delete(subscription) || this.#subscriptions.size > 0) return;
    const stop = this.#stopEvents;
    this.#stopEvents = null;
    this.#lastBody = null;
    stop?.();
  }
}

/** The result in an answer of the bridge, which is JSON text; throws the error in it. For transports of your own. */
export function resultOf(answer) {
  const { result, error } = JSON.parse(answer);
  if (error) throw new LiveActivityError(error.code, error.message);
  return result;
}

/** Over the native module in `Bindings/react-native`: give it `NativeModules` and `NativeEventEmitter` of React Native. */
export function reactNativeTransport(nativeModules, NativeEventEmitter) {
  const module = nativeModules.EyotLiveActivities;
  if (!module) return missing('the app has no native module EyotLiveActivities');
  const emitter = new NativeEventEmitter(module);
  return {
    call: (method, params) => answered(() => module.call(method, JSON.stringify(params))),
    onEvent(listener) {
      const subscription = emitter.addListener('eyotLiveActivitiesChanged', (text) => listener(JSON.parse(text)));
      // From here on the native half tells of changes, of what there is first.
      module.observe();
      return () => subscription.remove();
    },
  };
}

/** Over the plugin in `Bindings/capacitor`: give it `registerPlugin('EyotLiveActivities')` of Capacitor. */
export function capacitorTransport(plugin) {
  return {
    call: (method, params) =>
      answered(async () => (await plugin.call({ method, request: JSON.stringify(params) })).answer),
    onEvent(listener) {
      let isWanted = true;
      const handle = plugin.addListener('changed', ({ body }) => {
        if (isWanted) listener(JSON.parse(body));
      });
      // From here on the native half tells of changes, of what there is first. Without a plugin there are none; calls say why.
      const listening = Promise.resolve(handle).then(() => plugin.observe());
      listening.catch(() => {});
      return () => {
        isWanted = false;
        Promise.resolve(handle).then((it) => it.remove(), () => {});
      };
    },
  };
}

async function answered(ask) {
  let answer;
  try {
    answer = await ask();
  } catch (error) {
    const isMissing = error?.code === 'UNIMPLEMENTED' || error?.code === 'UNAVAILABLE';
    throw new LiveActivityError(isMissing ? 'unavailable' : 'transportFailed', String(error?.message ?? error), {
      cause: error,
    });
  }
  return resultOf(answer);
}

function missing(why) {
  return {
    call: async () => {
      throw new LiveActivityError('unavailable', why);
    },
    onEvent: () => () => {},
  };
}
