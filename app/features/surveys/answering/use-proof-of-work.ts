import { useEffect, useState } from 'react'
import type { Challenge } from '../responses/access/proof-of-work.ts'

/** Does the work that the page was given, while its questions are answered. @returns the proof once it is found */
export function useProofOfWork(challenge: Challenge | null, sendingId: string): string {
  const [proof, setProof] = useState('')
  useEffect(() => {
    if (!challenge) return undefined
    const stop = new AbortController()
    void (async () => {
      try {
        const { solveChallenge: solve } = await import('../responses/access/proof-of-work.ts')
        setProof(await solve(challenge, sendingId, stop.signal))
      } catch {
        // Without it the answers are taken all the same.
      }
    })()
    return () => stop.abort()
  }, [challenge, sendingId])
  return proof
}
