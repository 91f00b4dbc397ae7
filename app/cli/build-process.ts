import { join } from 'node:path'

/** Builds for the process that started this one, whose memory then stays small: `buildBundles`. The argument is the repository's root. */
process.on('disconnect', () => process.exit(1))
const root = process.argv[2] ?? ''
try {
  const { createBuilder } = await import('vite')
  const builder = await createBuilder({ root, configFile: join(root, 'app.config.ts'), logLevel: 'error', mode: 'production' })
  await builder.buildApp()
} catch (error) {
  process.exitCode = 1
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  process.send?.({ sentence: error instanceof Error ? error.message : String(error), code })
}
process.removeAllListeners('disconnect')
process.disconnect()
