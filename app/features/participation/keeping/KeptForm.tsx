import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { isStored } from '#app/lib/is-stored.ts'
import { WRITTEN_ITEM } from '#app/lib/kept-items.ts'
import type { KeepFormProps } from './KeepForm.tsx'
import type { FormFields } from './kept-on-device.ts'
import { LanguageButtons } from './LanguageButtons.tsx'

const KeepForm = lazy(() => import('./KeepForm.tsx'))

/** Inside a form: see `KeepForm`, which is loaded when the form is first used, or if the device already keeps a draft of it. */
export function KeptForm(props: Omit<KeepFormProps, 'isLeaving' | 'isChanged'>) {
  const { address, isReturned } = props
  const element = useRef<HTMLDivElement>(null)
  const [isUsed, setIsUsed] = useState(false)
  const isLeaving = useRef(false)
  const isChanged = useRef(false)
  useEffect(() => {
    const form = element.current?.closest('form')
    const use = () => setIsUsed(true)
    const change = () => {
      isChanged.current = true
      use()
    }
    if (isReturned || isStored(WRITTEN_ITEM.name + address) || form?.contains(document.activeElement)) use()
    // It may be sent before what keeps it has loaded, and be kept while its answer is on the way.
    const leave = () => void (isLeaving.current = true)
    const stay = () => void (isLeaving.current = false)
    form?.addEventListener('submit', leave)
    window.addEventListener('pageshow', stay)
    form?.addEventListener('focusin', use)
    form?.addEventListener('input', change)
    return () => {
      form?.removeEventListener('submit', leave)
      window.removeEventListener('pageshow', stay)
      form?.removeEventListener('focusin', use)
      form?.removeEventListener('input', change)
    }
  }, [address, isReturned])
  return (
    <div ref={element}>
      <noscript>{import.meta.env.SSR && <LanguageButtons />}</noscript>
      <Suspense>{isUsed && <KeepForm {...props} isLeaving={isLeaving} isChanged={isChanged} />}</Suspense>
    </div>
  )
}

/**
 * For the page that shows what arrived: it is no longer kept.
 * @param address of the form's page; undefined if nothing arrived
 * @param arrivedId of what arrived, if the page knows it
 */
export function useForgetSent(address: string | undefined, arrivedId?: string): void {
  useEffect(() => {
    if (address && isStored(WRITTEN_ITEM.name + address))
      void import('./written-on-device.ts').then(({ removeSent }) => removeSent(address, arrivedId))
  }, [address, arrivedId])
}

/** What the device keeps of a form that is no longer shown; undefined if there is nothing, or until it is known. */
export function useKeptFields(address: string): FormFields | undefined {
  const [fields, setFields] = useState<FormFields>()
  useEffect(() => {
    if (isStored(WRITTEN_ITEM.name + address))
      void import('./written-on-device.ts').then(({ readWritten }) => setFields(readWritten(address).fields))
  }, [address])
  return fields
}
