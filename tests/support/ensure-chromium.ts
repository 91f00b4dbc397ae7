import { spawnSync } from 'node:child_process'
import { findChromium } from './chromium.ts'

/** Ensures that there is a Chromium for the browser tests: the system's, else a Debian package, else Playwright's. */
if (!findChromium()) {
  const attempts: [string, string[]][] = [
    ...(process.getuid?.() === 0
      ? ([
          ['apt-get', ['update', '-qq']],
          ['apt-get', ['install', '-y', '-qq', 'chromium-headless-shell']],
          ['apt-get', ['install', '-y', '-qq', 'chromium']],
        ] satisfies [string, string[]][])
      : []),
    [process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium']],
  ]
  console.log('No Chromium on this machine: installing one for the browser tests…')
  for (const [command, args] of attempts) {
    if (findChromium()) break
    spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  }
  if (!findChromium()) {
    console.error(
      'The browser tests need Chromium, and none could be installed. Install it (Debian: apt-get install chromium), or name it in CHROMIUM_PATH.',
    )
    process.exit(1)
  }
}
