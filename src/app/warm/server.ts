import { dirname, join } from "node:path";
import type { Socket } from "bun";
import { nodeFs, type LockedFile } from "../../platform/files.ts";
import { readRequest, requestSize, writeResponse } from "./frame.ts";
import { judgeWarm, type Judged } from "./judge.ts";

/** A caller waits for a second (`client/hookline-warm.c`); what comes later must not be on record as if it had been told. */
const answerMs = 800;
/** How long a caller may take to say what it wants. */
const askMs = 10_000;
/** Then another takes over: what a process gathers in its life is not worth looking for. */
const mostAnswers = 100_000;
const mostMemory = 512 * 1024 * 1024;
const checkMs = 5000;

interface Caller {
  readonly chunks: Uint8Array[];
  size: number;
  wanted?: number | undefined;
  isGone: boolean;
  left?: Uint8Array;
  told?: Judged;
  readonly patience: ReturnType<typeof setTimeout>;
}

/** Answers one caller after the other: rules are judged in this thread anyway, and each in its own directory. */
export class Server {
  #queue: Promise<unknown> = Promise.resolve();
  #answered = 0;
  #waiting = 0;
  #lastAsked = performance.now();
  #listener: { stop(force?: boolean): void } | undefined;
  #place: string | undefined;
  #isEnding = false;
  readonly #own = identityOf(process.execPath);
  readonly #path: string;
  readonly #lock: LockedFile;
  readonly #end = Promise.withResolvers<string>();

  /** The lock is held for as long as the server lives. */
  constructor(path: string, lock: LockedFile) {
    this.#path = path;
    this.#lock = lock;
  }

  /** When it has ended, and why. */
  get ended(): Promise<string> {
    return this.#end.promise;
  }

  listen(): void {
    const fs = nodeFs();
    // It appears when it is listened to. Whoever left one behind is dead, for the lock is ours.
    const made = join(dirname(this.#path), "new.sock");
    fs.rmSync(made, { force: true });
    this.#listener = Bun.listen<Caller>({
      unix: made,
      socket: {
        binaryType: "uint8array",
        open: (socket) => this.#open(socket),
        data: (socket, bytes) => this.#read(socket, bytes),
        drain: (socket) => flush(socket),
        close: ({ data }) => {
          data.isGone = true;
          clearTimeout(data.patience);
        },
        error: (socket) => void socket.end(),
      },
    });
    fs.chmodSync(made, 0o600);
    fs.renameSync(made, this.#path);
    this.#place = identityOf(this.#path);
  }

  /** Does something when it is its turn. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#lastAsked = performance.now();
    this.#waiting++;
    const turn = this.#queue.then(work);
    this.#queue = turn.then(
      () => this.#done(),
      () => this.#done(),
    );
    return turn;
  }

  /** Who has asked already gets an answer; who comes now finds nobody, and asks the cold executable. */
  end(why: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (identityOf(this.#path) === this.#place) nodeFs().rmSync(this.#path, { force: true });
    void this.#leave(why);
  }

  async #leave(why: string): Promise<void> {
    do {
      await this.#queue;
      // What was on its way when the socket went.
      await Bun.sleep(50);
    } while (this.#waiting > 0);
    this.#listener?.stop(true);
    this.#lock.close();
    this.#end.resolve(why);
  }

  /** Looks after itself from time to time. */
  endWhenIdle(idleMs: number): void {
    const look = (): void => {
      if (this.#isEnding) return;
      const idle = performance.now() - this.#lastAsked;
      if (this.#waiting === 0 && idle >= idleMs) this.end("nobody has asked for a while");
      else if (identityOf(process.execPath) !== this.#own) this.end("the executable has been replaced");
      else if (identityOf(this.#path) !== this.#place) this.end("the socket is gone");
      else if (this.#answered > mostAnswers || process.memoryUsage.rss() > mostMemory)
        this.end("it has answered enough");
      else setTimeout(look, Math.max(10, Math.min(checkMs, this.#waiting === 0 ? idleMs - idle : checkMs)));
    };
    look();
  }

  #done(): void {
    this.#waiting--;
    this.#answered++;
    this.#lastAsked = performance.now();
  }

  #open(socket: Socket<Caller>): void {
    const patience = setTimeout(() => socket.end(), askMs);
    socket.data = { chunks: [], size: 0, isGone: false, patience };
    // An older server gives way to the one that the executable of today would be.
    if (identityOf(process.execPath) !== this.#own) this.end("the executable has been replaced");
  }

  #read(socket: Socket<Caller>, bytes: Uint8Array): void {
    const caller = socket.data;
    if (caller.told) {
      void caller.told.failed(new TextDecoder().decode(bytes).replace(/[^A-Z]/g, ""));
      return;
    }
    caller.chunks.push(Uint8Array.from(bytes));
    caller.size += bytes.length;
    if (!isWhole(caller, () => socket.end())) return;
    clearTimeout(caller.patience);
    void this.inTurn(() => answer(socket));
  }
}

function isWhole(caller: Caller, refuse: () => void): boolean {
  try {
    caller.wanted ??= requestSize(Buffer.concat(caller.chunks));
  } catch {
    refuse();
    return false;
  }
  if (caller.wanted === undefined || caller.size < caller.wanted) return false;
  if (caller.size === caller.wanted) return true;
  refuse();
  return false;
}

async function answer(socket: Socket<Caller>): Promise<void> {
  const caller = socket.data;
  if (caller.isGone) return;
  const judged = await judgeWarm(readRequest(Buffer.concat(caller.chunks)), answerMs);
  caller.chunks.length = 0;
  if (caller.isGone) return;
  if (judged) caller.told = judged;
  caller.left = writeResponse(judged?.response);
  flush(socket);
}

/** What the other end has not taken yet is sent when it can. It closes when it has all. */
function flush(socket: Socket<Caller>): void {
  const { left } = socket.data;
  if (!left || left.length === 0) return;
  const written = socket.write(left);
  if (written > 0) socket.data.left = left.subarray(written);
}

/** Tells a file from one that was put in its place. */
function identityOf(path: string): string | undefined {
  const found = nodeFs().statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
