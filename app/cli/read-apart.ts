import { isAppError } from '../lib/app-error.ts'
import type { ForeignReader, ReaderMessage } from '../server/read-apart.ts'

/** Reads one file of somebody else for a web process, in a process that has nothing else: see `app/server/read-apart.ts`. */
const READERS: Record<ForeignReader, () => Promise<(input: never) => unknown>> = {
  'survey-file': async () => (await import('../features/surveys/import/read-survey-file.server.ts')).readSurveyFile,
  'response-table': async () => (await import('../features/surveys/entry/read-table.server.ts')).readResponses,
}
const tell = (message: ReaderMessage, then = () => {}) => process.send?.(message, then)

process.on('disconnect', () => process.exit(0))
const load = READERS[process.argv[2] as ForeignReader]
const read = await load()
process.once('message', (input) => {
  void answer(input)
})
tell({ kind: 'ready' })

async function answer(input: unknown): Promise<void> {
  const end = () => process.exit(0)
  try {
    tell({ kind: 'read', output: await read(input as never) }, end)
  } catch (error) {
    if (isAppError(error)) tell({ kind: 'refused', code: error.code, faults: error.faults }, end)
    else tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }, end)
  }
}
