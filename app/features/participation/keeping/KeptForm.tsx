import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { isStored } from '#app/lib/is-stored.ts'
import { WRITTEN_ITEM } from '#app/lib/kept-items.ts'
import type { KeepFormProps } from './KeepForm.tsx'
import { LanguageButtons } from './LanguageButtons.tsx'

const KeepForm = lazy(() => import('./KeepForm.tsx'))

/** Inside a form: see `KeepForm`. It is loaded once somebody writes here, or has written. */
export function KeptForm(props: KeepFormProps) {
  const { address, isReturned } = props
  const element = useRef<HTMLDivElement>(null)
  const [isUsed, setIsUsed] = useState(false)
  useEffect(() => {
    const form = element.current?.closest('form')
    const use = () => setIsUsed(true)
    if (isReturned || isStored(WRITTEN_ITEM.name + address) || form?.contains(document.activeElement)) use()
    form?.addEventListener('focusin', use)
    form?.addEventListener('input', use)
    return () => {
      form?.removeEventListener('focusin', use)
      form?.removeEventListener('input', use)
    }
  }, [address, isReturned])
  return (
    <div ref={element}>
      <noscript>{import.meta.env.SSR && <LanguageButtons />}</noscript>
      <Suspense>{isUsed && <KeepForm {...props} />}</Suspense>
    </div>
  )
}

/** For the page that shows what arrived: it is no longer kept. @param address of the form's page; undefined if nothing arrived */
export function useForgetSent(address: string | undefined): void {
  useEffect(() => {
    if (address && isStored(WRITTEN_ITEM.name + address))
      void import('./written-on-device.ts').then(({ removeSent }) => removeSent(address))
  }, [address])
}
