import { isAppError } from '../lib/app-error.ts'
import type { ForeignReader, ReaderMessage } from '../server/read-in-own-process.ts'

/** Reads one untrusted file for a web process, in a process that has access to nothing else: see `app/server/read-in-own-process.ts`. */
const READERS: Record<ForeignReader, () => Promise<(input: never) => unknown>> = {
  'survey-file': async () => (await import('../features/surveys/import/read-survey-file.server.ts')).readSurveyFile,
  'response-table': async () => (await import('../features/surveys/entry/read-table.server.ts')).readResponses,
  'city-workbook': async () => (await import('../features/opencities/portals/read-workbook.server.ts')).readWorkbookTable,
  'map-file': async () => (await import('../features/areas/streets/check-map-file.server.ts')).checkMapFile,
  'area-file': async () => (await import('../features/areas/files/read-area-file.server.ts')).readAreaFile,
  'map-layer': async () => (await import('../features/contributions/layers/read-layer.server.ts')).readLayerFile,
  document: async () => (await import('../server/documents/write-document.server.ts')).writeDocument,
  translations: async () => (await import('../features/translations/read-translations.server.ts')).readTranslations,
}
const sendToParent = (message: ReaderMessage, then = () => {}) => process.send?.(message, then)

process.on('disconnect', () => process.exit(0))
const load = READERS[process.argv[2] as ForeignReader]
const read = await load()
process.once('message', (input) => {
  void answerInput(input)
})
sendToParent({ kind: 'ready' })

async function answerInput(input: unknown): Promise<void> {
  const exitProcess = () => process.exit(0)
  try {
    sendToParent({ kind: 'read', output: await read(input as never) }, exitProcess)
  } catch (error) {
    if (isAppError(error)) sendToParent({ kind: 'refused', code: error.code, faults: error.faults }, exitProcess)
    else sendToParent({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }, exitProcess)
  }
}
