import { describe, expect, test } from 'vitest'
import { type ForeignReader, readInOwnProcess } from './read-in-own-process.ts'

const NORMAL = { seconds: 60, heapMb: 256, wholeMb: 512 }
const read = (text: string, bounds = NORMAL, site = crypto.randomUUID(), reader: ForeignReader = 'survey-file') =>
  readInOwnProcess<{ format: string }>(reader, { file: Buffer.from(text), locale: 'en', languages: ['en'], choices: {} }, site, bounds)
const SURVEY = '{"elements":[{"type":"text","name":"a"}]}'
const tooComplex = { code: 'invalid', faults: [{ code: 'file-too-complex', pointer: '/file' }] }

describe('a file that is read in its own process', () => {
  test('returns its content, or what is wrong with it', async () => {
    expect(await read(SURVEY)).toMatchObject({ format: 'surveyjs', faults: 0 })
    await expect(read('nonsense')).rejects.toMatchObject({ faults: [{ code: 'unreadable-file', pointer: '/file' }] })
  })

  test('times out', async () => {
    await expect(read(SURVEY, { ...NORMAL, seconds: 0.001 })).rejects.toMatchObject(tooComplex)
  })

  test('is given up if it exceeds its memory limit', async () => {
    const large = `[${'[],'.repeat(3_000_000)}[]]`
    await expect(read(large, { ...NORMAL, heapMb: 32 })).rejects.toMatchObject(tooComplex)
    if (process.platform === 'linux') await expect(read(large, { ...NORMAL, wholeMb: 20 })).rejects.toMatchObject(tooComplex)
  })

  test('frees its place for the next, however it ends', async () => {
    const site = crypto.randomUUID()
    const ended = await Promise.allSettled([
      read(SURVEY, { ...NORMAL, seconds: 0.001 }, site),
      read('nonsense', NORMAL, site),
      read(SURVEY, NORMAL, site),
    ])
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  })

  test('queues behind a few others of its site, and is refused beyond that', async () => {
    const site = crypto.randomUUID()
    const ended = await Promise.allSettled(Array.from({ length: 8 }, () => read(SURVEY, NORMAL, site)))
    const refused = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    expect(refused).toEqual([expect.objectContaining({ code: 'unavailable' }), expect.objectContaining({ code: 'unavailable' })])
  })
})
