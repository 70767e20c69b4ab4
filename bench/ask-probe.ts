// Asks the probe that a benchmark loads into the service which it measures.
import { connect } from 'node:net'

/** Sends a question to the probe's socket and resolves to its answer. The probe counts from the last question on. */
export function askProbe<Answer>(path: string, question: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(path, () => socket.write(question))
    socket.on('data', (part) => {
      text += part
    })
    socket.on('end', () => resolve(JSON.parse(text)))
    socket.on('error', reject)
  })
}
