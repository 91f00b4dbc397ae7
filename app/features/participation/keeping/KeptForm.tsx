import { lazy, Suspense, useEffect } from 'react'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import type { KeepFormProps } from './KeepForm.tsx'
import { LanguageButtons } from './LanguageButtons.tsx'

const KeepForm = lazy(() => import('./KeepForm.tsx'))

/** Inside a form: see `KeepForm`. It comes once the form stands, and nothing that is typed before is lost. */
export function KeptForm(props: KeepFormProps) {
  const isHydrated = useHydrated()
  return (
    <>
      <noscript>{import.meta.env.SSR && <LanguageButtons />}</noscript>
      {isHydrated && (
        <Suspense>
          <KeepForm {...props} />
        </Suspense>
      )}
    </>
  )
}

/** For the page that shows what arrived: it is no longer kept. @param address of the form's page; undefined if nothing arrived */
export function useForgetSent(address: string | undefined): void {
  useEffect(() => {
    if (address) void import('./written-on-device.ts').then(({ removeSent }) => removeSent(address))
  }, [address])
}
