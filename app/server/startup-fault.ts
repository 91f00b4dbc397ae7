/** Why Parley cannot start or a command cannot run: one sentence for the person at the terminal, never a stack trace. */
export class StartupFault extends Error {
  override readonly name: string = 'StartupFault'
}

/** True if a thrown value or one of its causes says that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (('code' in e && (e.code === 'ENOSPC' || e.code === 'EDQUOT' || e.code === '53100')) || /No space left on device/.test(e.message))
      return true
  }
  return false
}
