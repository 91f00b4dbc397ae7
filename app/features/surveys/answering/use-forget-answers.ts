import { useEffect } from 'react'
import { dropFromDevice } from './answers-on-device.ts'

/** Once the answers have arrived, nothing of them stays on the device. */
export function useForgottenAnswers(surveyId: string | undefined): void {
  useEffect(() => {
    if (surveyId) dropFromDevice(surveyId)
  }, [surveyId])
}
