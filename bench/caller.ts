// Calls the API with a company's key, as a bench that prepares or checks records does.
import type { Company } from './started.ts'

/** Calls with a company's key; returns the body. Throws for anything but a success. */
export type Send = (method: string, path: string, body?: unknown) => Promise<any>

export const caller =
  (url: string, { apiKey }: Company): Send =>
  async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer: any = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer).slice(0, 400)}`)
    return answer
  }
