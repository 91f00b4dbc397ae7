import { request } from 'node:http'
import { withBareHttp } from './bare-http.ts'
import { runLoad, type LoadResult, describeLoadFaults, type LoadPlan } from './load.ts'
import { type Figures, computeMedian, roundTo } from './measurement.ts'
import { limitSeconds, ROUNDS } from './pace.ts'

/** One raw response, not decompressed. */
export function takeSample(port: number, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: Buffer; headers: Record<string, string> }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const kept = Object.entries(answer.headers).filter(([name]) => !/^(connection|keep-alive|transfer-encoding|date)$/.test(name))
        resolve({
          status: answer.statusCode ?? 0,
          body: Buffer.concat(chunks),
          headers: Object.fromEntries(kept) as Record<string, string>,
        })
      })
    })
      .on('error', reject)
      .end()
  })
}

interface Comparison {
  summary: string
  /** Without the port, which is the product's or the baseline's. */
  plan: Omit<LoadPlan, 'port' | 'path'> & { path: string }
  port: number
  /** Requests before measuring starts. */
  warmUp: number
}

/** Measures an address of the product against a bare `node:http` that sends the same bytes, alternating between them. */
export async function compareWithBareHttp({ summary, plan: asked, port, warmUp }: Comparison): Promise<Figures> {
  const plan = { ...asked, seconds: limitSeconds(asked.seconds) }
  const seen = await takeSample(port, plan.path.replace('{n}', '0'), plan.headers)
  if (seen.status !== 200) throw new Error(`${plan.path} was answered with ${seen.status}`)
  const pairs = await withBareHttp(seen.body, seen.headers, async (bare) => {
    await runLoad({ ...plan, port, most: warmUp })
    const measured: { product: LoadResult; baseline: LoadResult }[] = []
    for (let count = 0; count < ROUNDS; count++) {
      measured.push({ baseline: await runLoad({ ...plan, port: bare }), product: await runLoad({ ...plan, port }) })
    }
    return measured
  })
  return {
    summary,
    ratios: { rate: roundTo(computeMedian(pairs.map(({ product, baseline }) => product.perSecond / baseline.perSecond)), 3) },
    values: {
      perSecond: roundTo(computeMedian(pairs.map(({ product }) => product.perSecond)), 0),
      baselinePerSecond: roundTo(computeMedian(pairs.map(({ baseline }) => baseline.perSecond)), 0),
      p50: roundTo(computeMedian(pairs.map(({ product }) => product.p50))),
      p99: roundTo(computeMedian(pairs.map(({ product }) => product.p99))),
      baselineP50: roundTo(computeMedian(pairs.map(({ baseline }) => baseline.p50))),
      bytes: seen.body.length,
    },
    faults: pairs.flatMap(({ product }) => describeLoadFaults('product', product)),
  }
}
