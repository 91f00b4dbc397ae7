import { type ChildProcess, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import { listDescendants } from '#tests/support/process-tree.ts'
import { freePort, temporaryFolder } from '#tests/support/product.ts'
import { queryAsOwner } from '#tests/support/remote-api.ts'
import { CLUSTER_USER, startProgram } from './programs.ts'

/** Of one PostgreSQL server and of the Patroni that looks after it. */
interface DatabaseServer {
  name: string
  restPort: number
  port: number
}

export interface Ports {
  etcd: number
  etcdPeers: number
  /** HAProxy: leads to the server that takes writes. */
  database: number
  /** pgbouncer: the same, with few connections. */
  pool: number
  /** HAProxy: leads people to the web nodes. */
  front: number
  web: readonly [number, number]
}

const PASSWORDS = { superuser: 'super', replication: 'copy', rewind: 'rewind', owner: 'owner' }
const READY_WITHIN_MS = 60_000

const readExample = (file: string): string => readFileSync(new URL(`../../../app/cli/examples/${file}`, import.meta.url), 'utf8')

/** Three PostgreSQL servers with Patroni, etcd, HAProxy and pgbouncer on this machine, set up from the files that `parley example` prints. */
export class Machines {
  readonly folder = temporaryFolder('cluster')
  readonly running = new Map<string, ChildProcess>()
  readonly servers: DatabaseServer[] = []
  ports!: Ports

  async start(): Promise<void> {
    mkdirSync(join(this.folder, 'data'))
    for (const path of [this.folder, join(this.folder, 'data')]) {
      if (CLUSTER_USER) chownSync(path, CLUSTER_USER.uid, CLUSTER_USER.gid)
      chmodSync(path, 0o755)
    }
    const free = async () => await freePort()
    this.ports = {
      etcd: await free(),
      etcdPeers: await free(),
      database: await free(),
      pool: await free(),
      front: await free(),
      web: [await free(), await free()],
    }
    for (const name of ['db1', 'db2', 'db3']) this.servers.push({ name, restPort: await free(), port: await free() })
    this.startEtcd()
    for (const server of this.servers) {
      this.write(`${server.name}.yml`, this.describePatroni(server))
      this.startServer(server)
      // The first becomes the primary, the others copy it.
      if (server === this.servers[0]) await this.waitForPrimary()
    }
    this.write('haproxy.cfg', this.describeProxy())
    this.startProxy()
    await this.waitForPrimary()
    await this.waitForStandby()
    const [host, { superuser, owner }] = [`127.0.0.1:${this.ports.database}`, PASSWORDS]
    const postgres = `postgres://postgres:${superuser}@${host}/postgres`
    await queryAsOwner(postgres, `create role parley_owner login createrole password '${owner}'`)
    await queryAsOwner(postgres, 'create database parley owner parley_owner')
  }

  /** pgbouncer knows the roles by name, and one of them exists only once the database is prepared. */
  async startPool(): Promise<void> {
    const roles = await queryAsOwner<{ line: string }>(
      this.superuserUrl,
      `select format('"%s" "%s"', rolname, rolpassword) as line from pg_authid where rolpassword is not null`,
    )
    this.write(
      'userlist.txt',
      roles.map(({ line }) => line.replace(/^"parley_owner" .*/, `"parley_owner" "${PASSWORDS.owner}"`)).join('\n'),
    )
    this.write(
      'pgbouncer.ini',
      readExample('pgbouncer.ini')
        .replace('port=5000', `port=${this.ports.database}`)
        .replace('listen_port = 6432', `listen_port = ${this.ports.pool}\nunix_socket_dir =`)
        .replace('/etc/pgbouncer/userlist.txt', join(this.folder, 'userlist.txt')),
    )
    this.run('pgbouncer', ['pgbouncer', join(this.folder, 'pgbouncer.ini')])
  }

  /** Past everything else, at the server that takes writes; row-level security does not apply to it. */
  get superuserUrl(): string {
    return `postgres://postgres:${PASSWORDS.superuser}@127.0.0.1:${this.ports.database}/parley`
  }

  /** For Parley. @param place host and port, or several with commas */
  ownerUrl(place = `127.0.0.1:${this.ports.database}`): string {
    return `postgres://parley_owner:${PASSWORDS.owner}@${place}/parley`
  }

  get poolUrl(): string {
    return this.ownerUrl(`127.0.0.1:${this.ports.pool}`)
  }

  /** All servers by name, among which Parley finds the one that takes writes. */
  get serversUrl(): string {
    return this.ownerUrl(this.servers.map(({ port }) => `127.0.0.1:${port}`).join(','))
  }

  async findPrimary(): Promise<DatabaseServer | undefined> {
    const asked = await Promise.all(
      this.servers.map(async ({ restPort }) => {
        const answer = await fetch(`http://127.0.0.1:${restPort}/primary`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
        return answer?.status === 200
      }),
    )
    return this.servers.find((_, at) => asked[at])
  }

  /** The server that every write waits for. */
  async findSynchronousStandby(): Promise<DatabaseServer | undefined> {
    for (const server of this.servers) {
      const answer = await fetch(`http://127.0.0.1:${server.restPort}/synchronous`, { signal: AbortSignal.timeout(2000) }).catch(
        () => undefined,
      )
      if (answer?.status === 200) return server
    }
    return undefined
  }

  async waitForPrimary(other?: DatabaseServer): Promise<DatabaseServer> {
    return await waitFor('a server that takes writes', async () => {
      const found = await this.findPrimary()
      return found && found.name !== other?.name ? found : undefined
    })
  }

  async waitForStandby(): Promise<DatabaseServer> {
    return await waitFor('a synchronous standby', () => this.findSynchronousStandby())
  }

  /** The PostgreSQL server's main process. */
  postmasterOf({ name }: DatabaseServer): number {
    return Number(readFileSync(join(this.folder, 'data', name, 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  /** Everything that runs on the machine of a database server, Patroni first. */
  processesOf(server: DatabaseServer): number[] {
    const patroni = this.running.get(server.name)?.pid ?? 0
    const postmaster = this.postmasterOf(server)
    return [...new Set([patroni, postmaster, ...[patroni, postmaster].flatMap((pid) => listDescendants(pid).map((one) => one.pid))])]
  }

  /** The PostgreSQL server with its connections, without Patroni. */
  databaseProcessesOf(server: DatabaseServer): number[] {
    const postmaster = this.postmasterOf(server)
    return [postmaster, ...listDescendants(postmaster).map(({ pid }) => pid)]
  }

  startServer({ name }: DatabaseServer): void {
    // What a machine that was switched off leaves behind.
    rmSync(join(this.folder, 'data', name, 'postmaster.pid'), { force: true })
    this.run(name, ['patroni', join(this.folder, `${name}.yml`)])
  }

  startEtcd(): void {
    const [clients, peers] = [`http://127.0.0.1:${this.ports.etcd}`, `http://127.0.0.1:${this.ports.etcdPeers}`]
    const listening = ['--listen-client-urls', clients, '--advertise-client-urls', clients, '--listen-peer-urls', peers]
    const one = ['--initial-advertise-peer-urls', peers, '--initial-cluster', `one=${peers}`, '--log-level', 'warn']
    this.run('etcd', ['etcd', '--name', 'one', '--data-dir', join(this.folder, 'etcd'), ...listening, ...one])
  }

  startProxy(): void {
    this.run('haproxy', ['haproxy', '-db', '-f', join(this.folder, 'haproxy.cfg')])
  }

  switchOver(from: DatabaseServer, to: DatabaseServer): void {
    const words = ['-c', join(this.folder, `${from.name}.yml`), 'switchover', '--master', from.name, '--candidate', to.name, '--force']
    execFileSync('patronictl', words, { env: { ...process.env, LANG: 'C.UTF-8' }, stdio: 'ignore' })
  }

  /** @param keepsLogs leaves the folder, with everything that its programs said */
  async stop(keepsLogs: boolean): Promise<void> {
    // The last first: a server that loses its proxy or etcd complains for nothing.
    for (const [name, child] of [...this.running].toReversed()) {
      child.kill('SIGTERM')
      const deadline = performance.now() + 15_000
      while (child.exitCode === null && child.signalCode === null) {
        if (performance.now() > deadline) child.kill('SIGKILL')
        await wait(50)
      }
      this.running.delete(name)
    }
    if (!keepsLogs) rmSync(this.folder, { recursive: true, force: true })
  }

  private run(name: string, command: readonly string[]): void {
    this.running.set(name, startProgram(this.folder, name, command))
  }

  private write(file: string, text: string): void {
    const path = join(this.folder, file)
    writeFileSync(path, text)
    if (CLUSTER_USER) chownSync(path, CLUSTER_USER.uid, CLUSTER_USER.gid)
  }

  /** The example's text with the addresses and folders of this machine. What is not replaced here is as operators get it. */
  private describePatroni({ name, restPort, port }: DatabaseServer): string {
    const config = parse(readExample('patroni.yml').replaceAll('<10.0.0.0/24>', '127.0.0.1/32')) as {
      bootstrap: { dcs: object }
      postgresql: { authentication: Record<string, { password: string }> }
    }
    const [rest, server] = [`127.0.0.1:${restPort}`, `127.0.0.1:${port}`]
    for (const [role, login] of Object.entries(config.postgresql.authentication)) login.password = PASSWORDS[role as keyof typeof PASSWORDS]
    return stringify({
      ...config,
      name,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { hosts: [`127.0.0.1:${this.ports.etcd}`] },
      postgresql: {
        ...config.postgresql,
        listen: server,
        connect_address: server,
        data_dir: join(this.folder, 'data', name),
        pgpass: join(this.folder, `${name}.pgpass`),
        parameters: { unix_socket_directories: this.folder, shared_buffers: '64MB', max_wal_size: '512MB', autovacuum_max_workers: 1 },
      },
    })
  }

  private describeProxy(): string {
    const { database, front, web } = this.ports
    let text = readExample('haproxy.cfg')
      .replace('bind 127.0.0.1:5000', `bind 127.0.0.1:${database}`)
      .replace('bind :80', `bind 127.0.0.1:${front}`)
      // More open files than a session is given by default.
      .replace('maxconn 10000', 'maxconn 1000')
      // Without a certificate.
      .replace(/^ *bind :443 .*\n/m, '')
      .replace(/^ *http-request redirect .*\n/m, '')
      .replace('X-Forwarded-Proto https', 'X-Forwarded-Proto http')
      .replace(' check port 8008', ' check')
    this.servers.forEach(({ port, restPort }, at) => {
      text = text.replace(`10.0.0.1${at + 1}:5432`, `127.0.0.1:${port} port ${restPort}`)
    })
    web.forEach((port, at) => {
      text = text.replaceAll(`10.0.0.2${at + 1}:3000`, `127.0.0.1:${port}`)
    })
    return text
  }
}

/** Asks ten times a second. @throws after a minute */
export async function waitFor<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`There was not ${what} within ${READY_WITHIN_MS / 1000} s`)
    await wait(100)
  }
}
