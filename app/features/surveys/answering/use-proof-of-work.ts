import { useEffect, useState } from 'react'
import type { Challenge } from '../responses/access/proof-of-work.ts'

/** Solves the page's challenge while the participant answers. @returns the proof, or '' until it is found */
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
        // Answers are accepted without a proof too.
      }
    })()
    return () => stop.abort()
  }, [challenge, sendingId])
  return proof
}
