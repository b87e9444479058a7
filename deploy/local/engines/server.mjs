// Runs a server as a separate process: starts it in the background, finds it by its pid file, waits for its answer,
// stops it.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { EngineProblem } from './tools.mjs';

const pollMs = 50;
/** A broker rereads its last segments after a kill: half a minute on a slow disk. */
const answerTimeoutMs = 90_000;
const askTimeoutMs = 1_000;
/** A clean stop takes a second; a server that has not ended by then is killed. */
const stopTimeoutMs = 20_000;

export class Server {
  /** `ask` is written to the port; any answer shows that the server is ready. */
  constructor({ name, dir, port, ask }) {
    Object.assign(this, { name, dir, port, ask });
    this.pidFile = join(dir, 'pid');
    this.logFile = join(dir, 'server.log');
  }

  /** Does nothing if it runs. `command` is called only if it is needed. */
  async start(command) {
    this.#checkPort();
    if (this.pid() === undefined) {
      if (await this.answers())
        throw new EngineProblem(`${this.name}: port ${this.port} is taken by another process; choose another port`);
      mkdirSync(this.dir, { recursive: true });
      this.#spawn(await command());
    }
    await this.#untilItAnswers();
  }

  async stop() {
    const pid = this.pid();
    if (pid === undefined) return false;
    signal(pid, 'SIGTERM');
    const killAt = Date.now() + stopTimeoutMs;
    while (isAlive(pid)) {
      if (Date.now() > killAt) signal(pid, 'SIGKILL');
      await pause();
    }
    rmSync(this.pidFile, { force: true });
    return true;
  }

  /** Returns the pid of the running process; undefined if there is none, even if another process has that pid now. */
  pid() {
    const [pid, startedAt] = readLines(this.pidFile);
    if (pid === undefined || startedAt !== startTime(Number(pid))) return undefined;
    return Number(pid);
  }

  answers() {
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: this.port }, () => socket.write(this.ask));
      const end = (answered) => {
        socket.destroy();
        resolve(answered);
      };
      socket.setTimeout(askTimeoutMs, () => end(false));
      socket.once('data', () => end(true));
      socket.once('error', () => end(false));
      socket.once('close', () => resolve(false));
    });
  }

  #spawn([command, ...args]) {
    if (existsSync(this.logFile)) renameSync(this.logFile, `${this.logFile}.old`);
    const log = openSync(this.logFile, 'w');
    const child = spawn(command, args, { detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    child.unref();
    if (child.pid === undefined) throw new EngineProblem(`${this.name}: ${command} cannot be started`);
    writeFileSync(this.pidFile, `${child.pid}\n${startTime(child.pid)}\n${this.port}\n`);
  }

  /** Throws if the data directory's server runs on another port: there is one server per directory. */
  #checkPort() {
    const [, , port] = readLines(this.pidFile);
    if (this.pid() === undefined || Number(port) === this.port) return;
    const advice = 'stop it first, or give another --data-dir';
    throw new EngineProblem(`${this.name} runs on this data (${this.dir}) already, on port ${port}: ${advice}`);
  }

  async #untilItAnswers() {
    const until = Date.now() + answerTimeoutMs;
    while (!(await this.answers())) {
      if (this.pid() === undefined)
        throw new EngineProblem(`${this.name} ended at once:\n${readLines(this.logFile).slice(-8).join('\n')}`);
      if (Date.now() > until)
        throw new EngineProblem(`${this.name} does not answer on port ${this.port}; see ${this.logFile}`);
      await pause();
    }
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pollMs));

/** Returns the start time of a process: with the pid it identifies one process, while pids alone are reused. */
function startTime(pid) {
  return process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
}

/** Reads the fields after the name in brackets: the state is the first of them, the start time the twentieth. */
function startTimeFromProc(pid) {
  const [line] = readLines(`/proc/${pid}/stat`);
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' ? undefined : fields[19];
}

function startTimeFromPs(pid) {
  const asked = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const [state, ...startedAt] = (asked.stdout ?? '').trim().split(/\s+/);
  return state === undefined || state === '' || state.startsWith('Z') ? undefined : startedAt.join(' ');
}

/** Sends a signal; ignores that the process has ended by itself in the meantime. */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

const isAlive = (pid) => startTime(pid) !== undefined;

function readLines(file) {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
    throw error;
  }
}
