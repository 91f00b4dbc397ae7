import { readFileSync } from 'node:fs'
import { StartupFault } from '../server/startup-fault.ts'
import type { CommandCall } from './commands.ts'
import { formatUsage } from './usage.ts'

/** Files that an installation starts from, each with where to save it in its first line. */
const EXAMPLES = {
  systemd: 'parley.service',
  nginx: 'nginx.conf',
  caddy: 'Caddyfile',
  container: 'Containerfile',
  compose: 'compose.yaml',
  patroni: 'patroni.yml',
  haproxy: 'haproxy.cfg',
  pgbouncer: 'pgbouncer.ini',
  kubernetes: 'kubernetes.yaml',
} as const

/** Prints one of the examples. */
export function printExample({ words: [name = ''], say }: CommandCall): Promise<void> {
  const file = Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name as keyof typeof EXAMPLES] : undefined
  if (!file) throw new StartupFault(`Say which: ${formatUsage('example')}`)
  say(readFileSync(new URL(`examples/${file}`, import.meta.url), 'utf8').trimEnd())
  return Promise.resolve()
}
