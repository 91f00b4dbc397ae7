import { readFileSync } from 'node:fs'

/** Numbers of a user of this machine and of its group. @throws if there is none of that name */
export function readUserId(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid || !gid) throw new Error(`There is no user ${name} on this machine`)
  return { uid: Number(uid), gid: Number(gid) }
}
