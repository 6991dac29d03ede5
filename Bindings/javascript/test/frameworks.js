import { capacitorTransport, reactNativeTransport } from '../index.js';
import { processTransport } from './bridge-process.js';

/** React Native's two objects as far as the binding uses them, with the process as the native half. */
function reactNative(bridge) {
  const EyotLiveActivities = {
    call: (method, request) => bridge.answer(method, JSON.parse(request)),
    observe: () => bridge.order('observe'),
  };
  class NativeEventEmitter {
    addListener(event, listener) {
      if (event !== 'eyotLiveActivitiesChanged') throw new Error(`no event ${event}`);
      const stop = bridge.listen(listener);
      return {
        remove() {
          stop();
          // As RCTEventEmitter does after its last listener.
          if (bridge.listenerCount === 0) bridge.order('unobserve');
        },
      };
    }
  }
  return reactNativeTransport({ EyotLiveActivities }, NativeEventEmitter);
}

/** A Capacitor plugin as far as the binding uses it, with the process as the native half. */
function capacitor(bridge) {
  return capacitorTransport({
    call: async ({ method, request }) => ({ answer: await bridge.answer(method, JSON.parse(request)) }),
    observe: () => bridge.observe(),
    async addListener(event, listener) {
      if (event !== 'changed') throw new Error(`no event ${event}`);
      const stop = bridge.listen((body) => listener({ body }));
      return { remove: async () => stop() };
    },
  });
}

/** Every way to the bridge. */
export const transports = { process: processTransport, 'React Native': reactNative, Capacitor: capacitor };
