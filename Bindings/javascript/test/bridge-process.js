import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { LiveActivityError, resultOf } from '../index.js';

const built = fileURLToPath(new URL('../../../.build/debug/EyotBridgeProcess', import.meta.url));

/** The Swift bridge on a simulated phone, in a process; the protocol is that of Sources/EyotBridgeProcess. */
export class BridgeProcess {
  #child = spawn(process.env.BRIDGE_PROCESS ?? built, { stdio: ['pipe', 'pipe', 'inherit'] });
  #pending = new Map();
  #listeners = new Set();
  #lastID = 0;
  #hasEnded = false;
  #exit = once(this.#child, 'close');

  constructor() {
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#hear(JSON.parse(line)));
    this.#child.stdin.on('error', () => {});
    this.#exit.then(() => this.#fail());
  }

  /** The answer as the native half of a binding gets it: JSON text. */
  answer(method, params = {}) {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) return reject(new Error('the process has ended'));
      this.#pending.set(++this.#lastID, { resolve, reject });
      this.#child.stdin.write(`${JSON.stringify({ id: this.#lastID, method, params })}\n`);
    });
  }

  /** Has the phone do something; resolves to what became of a push. */
  async phone(order, params) {
    return resultOf(await this.answer(`phone.${order}`, params));
  }

  /** Hears the bodies of events as JSON text. */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Events begin, with what there is. */
  async observe() {
    resultOf(await this.answer('observe'));
  }

  /** Events begin or end; nobody waits for it, nor minds where the process is over. */
  order(method) {
    this.answer(method).catch(() => {});
  }

  get listenerCount() {
    return this.#listeners.size;
  }

  /** Kills it, and waits for its end. */
  async kill() {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  #hear({ id, event, body, ...answer }) {
    if (event !== undefined) {
      for (const listener of [...this.#listeners]) listener(JSON.stringify(body));
      return;
    }
    this.#pending.get(id)?.resolve(JSON.stringify(answer));
    this.#pending.delete(id);
  }

  #fail() {
    this.#hasEnded = true;
    for (const { reject } of this.#pending.values()) reject(new Error('the process has ended'));
    this.#pending.clear();
  }
}

/** A transport straight to the process. */
export function processTransport(bridge) {
  return {
    async call(method, params) {
      let answer;
      try {
        answer = await bridge.answer(method, params);
      } catch (error) {
        throw new LiveActivityError('transportFailed', error.message);
      }
      return resultOf(answer);
    },
    onEvent(listener) {
      const stop = bridge.listen((text) => listener(JSON.parse(text)));
      bridge.order('observe');
      return stop;
    },
  };
}
