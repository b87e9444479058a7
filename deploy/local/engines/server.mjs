// A server as a process of its own: started in the background, found again by its pid file, asked until it answers, ended.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { EngineProblem } from './tools.mjs';

const pollMs = 50;
/** A broker reads its last segments again after a kill: half a minute on a slow disk. */
const answerTimeoutMs = 90_000;
const askTimeoutMs = 1_000;
/** A clean stop takes a second; what has not ended by then is killed. */
const stopTimeoutMs = 20_000;

export class Server {
  /** `ask` is what is written to the port; any answer to it shows that the server serves. */
  constructor({ name, dir, port, ask }) {
    Object.assign(this, { name, dir, port, ask });
    this.pidFile = join(dir, 'pid');
    this.logFile = join(dir, 'server.log');
  }

  /** Does nothing when it runs. `command` is made only when it is needed. */
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

  /** Of the running process; undefined when there is none, also when its number was given to another one since. */
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

  /** One data directory has one server, which is not asked to be on two ports. */
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

/** A number and a start time name one process; a number alone is given out again. */
function startTime(pid) {
  return process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
}

/** Fields after the name in brackets: the state is the first of them, the start time the twentieth. */
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

/** It may have ended by itself meanwhile, which is as good. */
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
