import { fileURLToPath, pathToFileURL } from 'node:url'
import { readEnv } from '../server/env.ts'
import { build, isBuilt } from './build.ts'
import { prepare } from './prepare.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const say = (line: string) => console.log(line)
const command = process.argv[2] ?? 'start'
const env = readEnv(process.env)
const { prepared, stop } = await prepare(env, say)
process.env['PARLEY_PREPARED'] = JSON.stringify(prepared)

if (command === 'dev') {
  const { createServer } = await import('vite')
  const server = await createServer({ configFile: `${root}app.config.ts`, server: { port: env.PORT, host: env.HOST, strictPort: true } })
  await server.listen()
  say(`Parley is at http://localhost:${env.PORT}`)
  process.once(
    'SIGINT',
    () =>
      void server
        .close()
        .then(stop)
        .then(() => process.exit(0)),
  )
} else {
  if (!isBuilt(root)) {
    say('Building Parley…')
    await build(root)
  }
  const bundle = (await import(pathToFileURL(`${root}dist/server/server.js`).href)) as typeof import('../server.ts')
  const server = await bundle.serve({
    host: env.HOST,
    port: env.PORT,
    clientDir: `${root}dist/client`,
    fetch: (request) => bundle.default.fetch(request),
  })
  say(`Parley is at http://localhost:${env.PORT}`)
  process.once('SIGTERM', () => server.close(() => void stop().then(() => process.exit(0))))
}
