import { useTranslation } from 'react-i18next'
import { useFirstUse } from '#app/shell/use-first-use.ts'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import { PasskeyForm } from './PasskeyForm.tsx'
import { askForPasskey, offerPasskeys } from './use-passkey.ts'

const askAlone = () => askForPasskey({ alone: true })

/**
 * Signing in with nothing but a passkey: by a button, or where the browser offers the person's address. Only where the browser can.
 * @param wasRefused a passkey was just refused, so it is not offered again at once
 */
export function PasskeySignIn({ wasRefused }: { wasRefused: boolean }) {
  const { t } = useTranslation('account')
  const isUsed = useFirstUse()
  if (!useHydrated() || typeof PublicKeyCredential === 'undefined') return null
  return (
    <PasskeyForm button={t('passkeys.instead')} isAside ask={askAlone} {...(isUsed && !wasRefused ? { offer: offerPasskeys } : {})}>
      <input type="hidden" name="form" value="passkey" />
    </PasskeyForm>
  )
}
