import { createServer } from 'node:net'
import type { Env } from '../server/env.ts'
import { StartupFault } from '../server/startup-fault.ts'

export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** Address of the product on this machine. */
export function buildOwnAddress(env: Env, name = 'localhost', port = env.PORT): string {
  const anywhere = env.HOST === '0.0.0.0' || env.HOST === '::' || isLoopback(env.HOST)
  const host = anywhere ? name : env.HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Address of the product while it has no site. */
export const buildSetupAddress = (env: Env): string => (env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : buildOwnAddress(env))

/** Public address of a site, based on PUBLIC_URL; a local name uses this machine's own port. */
export function buildSiteAddress(env: Env, host: string): string {
  if (host === 'localhost' || host.endsWith('.localhost')) return buildOwnAddress(env, host)
  const url = new URL(env.PUBLIC_URL ?? 'https://localhost')
  url.hostname = host
  return url.origin
}

/** Checks that the port is free before any long work. @throws {StartupFault} */
export async function requireFreePort(env: Env): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(toListenFault(error, env)))
    probe.listen(env.PORT, env.HOST, () => probe.close(() => resolve()))
  })
}

/** Explains a failed `listen` in one sentence. @param prefix of the settings' names */
export function toListenFault(error: unknown, env: Pick<Env, 'PORT' | 'HOST'>, prefix = ''): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const sentence = {
    EADDRINUSE: `Port ${env.PORT} is taken by another program: stop that one, or choose another ${prefix}PORT.`,
    EACCES: `Port ${env.PORT} needs more rights than this user has: choose a ${prefix}PORT above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${env.HOST}: correct ${prefix}HOST.`,
    ENOTFOUND: `The name ${env.HOST} is not known: correct ${prefix}HOST.`,
  }[String(code)]
  return sentence ? new StartupFault(sentence, { cause: error }) : error
}
