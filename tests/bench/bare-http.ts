import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('bare-server.ts', import.meta.url))

/** The baseline for every HTTP measurement: a bare `node:http` server in its own process that sends exactly these bytes. */
export async function withBareHttp<T>(
  body: Buffer,
  headers: Record<string, string>,
  work: (port: number, pid: number) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [SERVER], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  child.send({ body: body.toString('base64'), headers })
  const [port] = (await once(child, 'message')) as [number]
  try {
    return await work(port, child.pid ?? 0)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}
