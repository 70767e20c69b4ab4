// Station: a till, a kiosk, a terminal at an outlet.
import { flag, name, number, reference, required, usualWord } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const station = resource({
  name: { one: 'station', many: 'stations' },
  alsoCalled: ['till', 'register', 'cash-register', 'terminal', 'device'],
  title: 'Stations',
  description: 'A till or kiosk at an outlet. Sessions are opened and closed at it.',
  fields: {
    name: required(name({ description: 'What staff call the station.', example: 'Till 1' })),
    outletId: required(reference({ description: 'Where the station is.' })),
    status: required(
      usualWord(['AVAILABLE', 'IN_USE'], { description: 'Whether a session is open at it. The till maintains it.' }),
    ),
    deviceId: reference({
      description: 'Identifies the tablet or computer that the till runs on.',
      example: 'ipad-7F3A',
    }),
    deviceName: name({ description: 'Name of that tablet or computer.', example: 'Front iPad' }),
    processorTerminalId: reference({
      description: 'The payment terminal, as the payment processor names it.',
      example: 'tmr_Fd1kQpXbW2',
    }),
    serialReaderId: reference({
      description: 'Serial number of the card reader, if it is not part of the terminal.',
      example: 'WPC1234',
    }),
    sequenceNumber: number({ description: 'Number of the station for people. The caller chooses it.', example: 1 }),
    isVirtual: flag({ description: 'Whether it is a web shop or a program, without a drawer or a device.' }),
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
