import { FILES_ITEM } from '#app/lib/kept-items.ts'

const STORE = 'files'

interface KeptFile {
  file: File
  at: number
}

/** Chosen files of a form, by its address and the field's name. They are too large for where its text is kept. */
const buildKey = (address: string, field: string): string[] => [address, field]

const awaitRequest = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The device refused')))
  })

/** Opens the store for one act, and removes what is kept too long. */
async function withStore<Result>(act: (store: IDBObjectStore) => Promise<Result>): Promise<Result> {
  const opening = indexedDB.open(FILES_ITEM.name, 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE))
  const database = await awaitRequest(opening)
  try {
    const store = database.transaction(STORE, 'readwrite').objectStore(STORE)
    const cursors = store.openCursor()
    cursors.addEventListener('success', () => {
      const cursor = cursors.result
      if (!cursor) return
      if (Date.now() - (cursor.value as KeptFile).at >= FILES_ITEM.seconds * 1000) cursor.delete()
      cursor.continue()
    })
    return await act(store)
  } finally {
    database.close()
  }
}

/** @returns whether the device has it */
async function storeFile(address: string, field: string, file: File | undefined): Promise<boolean> {
  try {
    await withStore((store): Promise<unknown> => {
      const key = buildKey(address, field)
      return file ? awaitRequest(store.put({ file, at: Date.now() } satisfies KeptFile, key)) : awaitRequest(store.delete(key))
    })
    return file !== undefined
  } catch {
    return false
  }
}

async function readFile(address: string, field: string): Promise<File | undefined> {
  try {
    const kept = await withStore((store) => awaitRequest(store.get(buildKey(address, field)) as IDBRequest<KeptFile | undefined>))
    return kept && Date.now() - kept.at < FILES_ITEM.seconds * 1000 ? kept.file : undefined
  } catch {
    return undefined
  }
}

/** @param fields of the form that may hold a file */
export async function removeFiles(address: string, fields: readonly string[]): Promise<void> {
  await Promise.all(fields.map((field) => storeFile(address, field, undefined)))
}

/**
 * Keeps the files that are chosen in a form, and chooses them again. @param kept names of fields that have one on the device
 * @param onChange what the device has from now on
 */
export function keepFiles(
  form: HTMLFormElement,
  address: string,
  kept: readonly string[],
  onChange: (fields: string[]) => void,
): () => void {
  const fields = new Set(kept)
  const keepChosen = async ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'file') return
    const isKept = await storeFile(address, target.name, target.files?.[0])
    if (isKept) fields.add(target.name)
    else fields.delete(target.name)
    onChange([...fields])
  }
  const listen = (event: Event) => void keepChosen(event)
  const restore = async (input: HTMLInputElement) => {
    const file = await readFile(address, input.name)
    // What was chosen meanwhile is newer.
    if (!file || input.files?.length) return
    const chosen = new DataTransfer()
    chosen.items.add(file)
    input.files = chosen.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }
  form.addEventListener('change', listen)
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement) || control.type !== 'file') continue
    if (control.files?.length) void keepChosen({ target: control } as unknown as Event)
    else if (fields.has(control.name)) void restore(control)
  }
  return () => form.removeEventListener('change', listen)
}
