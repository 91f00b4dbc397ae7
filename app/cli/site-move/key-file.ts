import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { StartupFault } from '../../server/startup-fault.ts'

const MIN_LENGTH = 20
/** Readable or writable for anybody but its owner. */
const OTHERS = 0o077

/**
 * The passphrase on the first line of a file that only its owner may read: on the command line it would be in the shell's history, and shown to
 * everybody on the machine.
 * @param make makes the file with a random passphrase if there is none
 */
export function readKeyFile(name: string, { make, say }: { make: boolean; say: (line: string) => void }): string {
  const path = resolve(name)
  if (make && !existsSync(path)) {
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
    say(`Made the key file ${path}. Without it nobody opens the export: keep it apart from the file.`)
  }
  if (!existsSync(path)) throw new StartupFault(`There is no key file ${path}.`)
  if (statSync(path).mode & OTHERS) throw new StartupFault(`Others may read ${path}: make it yours alone with chmod 600.`)
  const passphrase = readFileSync(path, 'utf8').split(/\r?\n/, 1)[0]?.trim() ?? ''
  if (passphrase.length < MIN_LENGTH)
    throw new StartupFault(`The first line of ${path} must be a passphrase of at least ${MIN_LENGTH} characters.`)
  return passphrase
}
