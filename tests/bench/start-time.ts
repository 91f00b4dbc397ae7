import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Measurement, computeMedian, roundTo } from './measurement.ts'

const STARTS = 3
const WITHIN_MS = 3000
const BARE = `require('node:http').createServer((q, s) => s.end('ok')).listen(0, '127.0.0.1', function () { process.stdout.write(String(this.address().port)) })`

/** From the command to the first response on existing data: starting, checking and serving the database. */
export const startTime: Measurement = {
  name: 'second start',
  run: async (ground) => {
    const [product, bare]: [number[], number[]] = [[], []]
    for (let count = 0; count < STARTS; count++) {
      await ground.product.stop()
      const from = performance.now()
      await ground.restart()
      product.push(performance.now() - from)
      bare.push(await measureBareStart())
    }
    const took = computeMedian(product)
    return {
      summary: 'The product on data that is there until /readyz answers, against a bare Node process until it answers',
      ratios: { time: roundTo(took / computeMedian(bare)) },
      values: {
        ms: roundTo(took, 0),
        slowestMs: roundTo(Math.max(...product), 0),
        bareMs: roundTo(computeMedian(bare), 0),
        promisedMs: WITHIN_MS,
      },
      faults: took > WITHIN_MS ? [`took ${Math.round(took)} ms, more than the promised ${WITHIN_MS}`] : [],
    }
  },
}

async function measureBareStart(): Promise<number> {
  const from = performance.now()
  const child = spawn(process.execPath, ['-e', BARE], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  await (await fetch(`http://127.0.0.1:${port.toString()}/`)).text()
  const took = performance.now() - from
  child.kill('SIGTERM')
  await ended
  return took
}
