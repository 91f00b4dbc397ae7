import { WRITTEN_ITEM } from '#app/lib/answer-items.ts'
import { type FormFields, readFromDevice, removeFromDevice, storeOnDevice } from './kept-on-device.ts'

interface Written {
  fields: FormFields
  /** It was sent; whether it arrived is known when its receipt is shown. */
  isSent: boolean
}

const buildKey = (address: string) => `${WRITTEN_ITEM.name}${address}`

/** @param address of the form's page, without a language */
export const readWritten = (address: string): Partial<Written> => readFromDevice<Written>(buildKey(address), WRITTEN_ITEM.seconds)

export const storeWritten = (address: string, written: Written): boolean => storeOnDevice(buildKey(address), written)

export const removeWritten = (address: string): void => removeFromDevice(buildKey(address))

/** For the page that shows what arrived. What has been written since stays. */
export function removeSent(address: string): void {
  if (readWritten(address).isSent) removeWritten(address)
}
