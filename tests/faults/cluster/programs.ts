import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, openSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { readUserId } from './user-id.ts'

const POSTGRES_BIN = '/usr/lib/postgresql/15/bin'
const SEARCHED = [POSTGRES_BIN, '/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin']
const NEEDED = ['postgres', 'patroni', 'patronictl', 'etcd', 'haproxy', 'pgbouncer'] as const

/** How to install what the cluster is made of, on Debian 12. */
export const INSTALL = 'apt-get install --no-install-recommends postgresql-15 patroni etcd-server python3-etcd haproxy pgbouncer'

const isInstalled = (program: string): boolean =>
  SEARCHED.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Programs that the cluster needs and this machine does not have. */
export const findMissingPrograms = (): string[] => NEEDED.filter((program) => !isInstalled(program))

/** PostgreSQL refuses to run as root: then everything runs as Debian's user for it. */
export const CLUSTER_USER = userInfo().uid === 0 ? readUserId('postgres') : undefined

/** Starts one of the cluster's programs, with its output in `<folder>/<name>.log`. */
export function startProgram(folder: string, name: string, command: readonly string[]): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: folder,
    env: { HOME: folder, LANG: 'C.UTF-8', PATH: SEARCHED.join(':'), PYTHONUNBUFFERED: '1' },
    stdio: ['ignore', log, log],
    ...CLUSTER_USER,
  })
  child.on('error', (error) => console.error(`${name}: ${error.message}`))
  return child
}
