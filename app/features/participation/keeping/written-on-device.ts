import { WRITTEN_ITEM } from '#app/lib/kept-items.ts'
import { type FormFields, readFromDevice, removeFromDevice, storeOnDevice } from './kept-on-device.ts'

interface Written {
  fields: FormFields
  /** It was sent; whether it arrived is known when its receipt is shown. */
  isSent: boolean
  /** Fields whose files are kept too. */
  files: readonly string[]
}

const buildKey = (address: string) => `${WRITTEN_ITEM.name}${address}`

/** @param address of the form's page, without a language */
export const readWritten = (address: string): Partial<Written> => readFromDevice<Written>(buildKey(address), WRITTEN_ITEM.seconds)

export const storeWritten = (address: string, written: Written): boolean => storeOnDevice(buildKey(address), written)

export async function removeWritten(address: string): Promise<void> {
  const { files = [] } = readWritten(address)
  removeFromDevice(buildKey(address))
  if (files.length > 0) await import('./files-on-device.ts').then(({ removeFiles }) => removeFiles(address, files))
}

/**
 * For the page that shows what arrived. What has been written since stays.
 * @param arrivedId of what arrived: it is removed even if nobody noted that it was sent, such as when it was sent before the script had come
 */
export async function removeSent(address: string, arrivedId?: string): Promise<void> {
  const { isSent, fields = [] } = readWritten(address)
  const hasArrived = arrivedId !== undefined && fields.some(([name, value]) => name === 'id' && value === arrivedId)
  if (isSent || hasArrived) await removeWritten(address)
}
