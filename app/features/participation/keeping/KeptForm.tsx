import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { isStored } from '#app/lib/is-stored.ts'
import { WRITTEN_ITEM } from '#app/lib/kept-items.ts'
import type { KeepFormProps } from './KeepForm.tsx'
import { LanguageButtons } from './LanguageButtons.tsx'

const KeepForm = lazy(() => import('./KeepForm.tsx'))

/** Inside a form: see `KeepForm`, which is loaded when the form is first used, or if the device already keeps a draft of it. */
export function KeptForm(props: Omit<KeepFormProps, 'isLeaving'>) {
  const { address, isReturned } = props
  const element = useRef<HTMLDivElement>(null)
  const [isUsed, setIsUsed] = useState(false)
  const isLeaving = useRef(false)
  useEffect(() => {
    const form = element.current?.closest('form')
    const use = () => setIsUsed(true)
    if (isReturned || isStored(WRITTEN_ITEM.name + address) || form?.contains(document.activeElement)) use()
    // It may be sent before what keeps it has loaded, and be kept while its answer is on the way.
    const leave = () => void (isLeaving.current = true)
    const stay = () => void (isLeaving.current = false)
    form?.addEventListener('submit', leave)
    window.addEventListener('pageshow', stay)
    form?.addEventListener('focusin', use)
    form?.addEventListener('input', use)
    return () => {
      form?.removeEventListener('submit', leave)
      window.removeEventListener('pageshow', stay)
      form?.removeEventListener('focusin', use)
      form?.removeEventListener('input', use)
    }
  }, [address, isReturned])
  return (
    <div ref={element}>
      <noscript>{import.meta.env.SSR && <LanguageButtons />}</noscript>
      <Suspense>{isUsed && <KeepForm {...props} isLeaving={isLeaving} />}</Suspense>
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
