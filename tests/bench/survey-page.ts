import { compareWithBareHttp, takeSample } from './compare.ts'
import { runLoad } from './load.ts'
import { type Measurement, roundTo } from './measurement.ts'

const PATH = '/projects/fern-street/surveys/your-trip-your-stop'

/** A survey's page cannot be stored, since each has its own submission id: measures what that costs against a page that can be stored. */
export const surveyPage: Measurement = {
  name: 'survey page',
  run: async ({ product: { port } }) => {
    const figures = await compareWithBareHttp({
      summary: 'A survey’s page for a visitor, which is rendered each time, against bare node:http with the same bytes',
      port,
      plan: { clients: 16, seconds: 4, most: 20_000, path: PATH },
      warmUp: 200,
    })
    // A single client, so that nothing queues.
    const alone = { port, clients: 1, seconds: 3, most: 200 }
    const survey = await runLoad({ ...alone, path: PATH })
    const kept = await runLoad({ ...alone, path: '/projects/fern-street' })
    const { headers } = await takeSample(port, PATH)
    return {
      ...figures,
      values: { ...figures.values, aloneMs: roundTo(survey.p50), keptAloneMs: roundTo(kept.p50), costsMs: roundTo(survey.p50 - kept.p50) },
      faults: [...figures.faults, ...(headers['etag'] ? ['the survey’s page is kept by now: measure it as one that is'] : [])],
    }
  },
}
