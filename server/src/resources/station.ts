// Station: a till, a kiosk, a terminal at an outlet.
import { flag, name, number, reference, required, word } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const station = resource({
  name: { one: 'station', many: 'stations' },
  title: 'Stations',
  description: 'A till or kiosk at an outlet. Sessions are opened and closed at it.',
  fields: {
    name: required(name()),
    outletId: required(reference()),
    status: required(word('AVAILABLE', 'IN_USE')),
    deviceId: reference(),
    deviceName: name(),
    processorTerminalId: reference({ description: 'The payment terminal.' }),
    serialReaderId: reference(),
    sequenceNumber: number(),
    isVirtual: flag(),
  },
  remove: 'hard',
  list: {
    sort: ['name', 'sequenceNumber'],
    search: ['name'],
    exact: ['status', 'outletId', 'deviceId', 'processorTerminalId', 'serialReaderId'],
  },
  styleA: { one: ['station'], list: 'stations' },
  styleB: { one: 'station', many: 'stations' },
  example: { name: 'Till 1', outletId: '6740a1f2c3d4e5f6a7b8c9d2', status: 'AVAILABLE' },
})
