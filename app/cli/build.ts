import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What the built bundle is made of. Tests, decisions and the command line itself are not in it. */
const SOURCES = ['app', 'locales', 'public', 'app.config.ts', 'package-lock.json', 'tsconfig.json']
const OUTSIDE = /(\.test\.tsx?|\.md|\/app\/cli|\/app\/server\/db\/migrations)$/

/** Whether `dist` is whole and no source changed, came or went after it was built. */
export function isBuilt(root: string): boolean {
  const bundle = join(root, 'dist/server/server.js')
  if (!existsSync(bundle) || !existsSync(join(root, 'dist/client'))) return false
  const built = statSync(bundle).mtimeMs
  return SOURCES.every((name) => !existsSync(join(root, name)) || newest(join(root, name)) <= built)
}

/** Builds the browser's and the server's bundles into `dist`. */
export async function build(root: string): Promise<void> {
  process.env['NODE_ENV'] = 'production'
  const { createBuilder } = await import('vite')
  const builder = await createBuilder({ root, configFile: join(root, 'app.config.ts'), logLevel: 'warn', mode: 'production' })
  await builder.buildApp()
}

function newest(path: string): number {
  const info = statSync(path)
  if (!info.isDirectory()) return info.mtimeMs
  let latest = info.mtimeMs
  for (const name of readdirSync(path)) {
    const below = join(path, name)
    if (!OUTSIDE.test(below)) latest = Math.max(latest, newest(below))
  }
  return latest
}
