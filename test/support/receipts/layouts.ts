import type { ReceiptLayout } from './receipts.ts';

/** Receipts of ten shops that do not exist, two of each language: one was looked at while the reading was written, one was not. */
export const RECEIPT_LAYOUTS: readonly ReceiptLayout[] = [
  {
    name: 'de, amounts below',
    language: 'de',
    set: 'tuned',
    columns: 36,
    currency: 'EUR',
    point: ',',
    head: [
      '        FRISCHMARKT',
      '    Hauptstr. 12, 50667 Köln',
      '   Tel. 0221 / 1234567',
      '   UID Nr.: DE812706034',
      '',
      '                                 EUR',
    ],
    product: ({ name, count, by, each, price }, print) =>
      by === 'kg'
        ? [print.row(name, `${price} B`), `   ${print.number(count, 3)} kg x ${each} EUR/kg`]
        : count > 1
          ? [print.row(name, `${price} B`), `     ${count} Stk x    ${each}`]
          : [print.row(name, `${price} B`)],
    between: (print) => [print.row('PFAND 0,25 EURO', '0,25 A *'), print.row('Rabatt 10%', '-0,30 B')],
    foot: (total, print) => [
      '------------------------------------',
      print.row('SUMME   EUR', total),
      '====================================',
      print.row('Geg. Mastercard EUR', total),
      'Steuer %    Netto   Steuer   Brutto',
      'B= 7,0%     10,10    0,71    10,81',
      '01.12.2026   10:42    Bon-Nr.:4711',
    ],
  },
  {
    name: 'de, amounts above',
    language: 'de',
    set: 'kept',
    columns: 40,
    currency: 'EUR',
    point: ',',
    head: ['            MARKT & MEHR', '      Bahnhofstraße 3', '      80335 München', ''],
    product: ({ name, count, by, each, price }, print) =>
      by === 'kg'
        ? [`  ${print.number(count, 3)} kg   x    ${each} €/kg`, print.row(name, `${price} 2`)]
        : count > 1
          ? [`  ${count} x     ${each}`, print.row(name, `${price} 2`)]
          : [print.row(name, `${price} 2`)],
    between: (print) => [print.row('Leergut EINWEG', '-0,25 1'), print.row('Mehrwegpfand', '0,15 1')],
    foot: (total, print) => [
      print.row('Zwischensumme', total),
      print.row('Gesamtbetrag €', total),
      print.row('Girocard', total),
      'Datum 01.12.2026  Uhrzeit 18:07',
    ],
  },
  {
    name: 'en, counts at',
    language: 'en',
    set: 'tuned',
    columns: 34,
    currency: '$',
    point: '.',
    head: ['         CORNER FOODS', '      420 MAIN ST, SPRINGFIELD', '       (555) 010-7788', ''],
    product: ({ name, count, by, each, price }, print) =>
      by === 'kg'
        ? [name, print.row(`  ${print.number(count, 3)} kg @ $${each}/kg`, `${price} F`)]
        : count > 1
          ? [print.row(name, `${price} F`), `   ${count} @ ${each}`]
          : [print.row(name, `${price} F`)],
    between: (print) => [print.row('CRV', '0.05'), print.row('COUPON SAVINGS', '0.50-')],
    foot: (total, print) => [
      print.row('SUBTOTAL', total),
      print.row('SALES TAX', '0.00'),
      print.row('TOTAL', `$${total}`),
      print.row('VISA CREDIT', total),
      print.row('CHANGE', '0.00'),
      '  ITEMS SOLD 9   12/01/2026 14:03',
    ],
  },
  {
    name: 'en, pounds',
    language: 'en',
    set: 'kept',
    columns: 32,
    currency: 'GBP',
    point: '.',
    head: ['        GREEN GROCERS', '     VAT NO: 123 4567 89', ''],
    product: ({ name, count, by, each, price }, print) =>
      by === 'kg'
        ? [print.row(name, `£${price}`), `  ${print.number(count, 3)} kg @ £${each}/kg`]
        : count > 1
          ? [print.row(`${count} x ${name}`, `£${price}`)]
          : [print.row(name, `£${price}`)],
    between: (print) => [print.row('Clubcard Price', '-£0.40')],
    foot: (total, print) => [
      print.row('TOTAL TO PAY', `£${total}`),
      print.row('Contactless', `£${total}`),
      'THANK YOU FOR SHOPPING',
    ],
  },
  {
    name: 'fr, amounts in the row',
    language: 'fr',
    set: 'tuned',
    columns: 40,
    currency: 'EUR',
    point: ',',
    head: [
      '           SUPER MARCHE',
      '      12 RUE DE LA GARE 69003 LYON',
      '        Tél: 04 78 00 11 22',
      '',
      'ARTICLE             QTE  P.U.   MONTANT',
    ],
    product: ({ name, count, by, each, price }, print) =>
      by === 'kg'
        ? [name, print.row(`  ${print.number(count, 3)} kg x ${each} €/kg`, `${price} €`)]
        : count > 1
          ? [print.row(`${name}  ${count} x ${each}€`, `${price} €`)]
          : [print.row(name, `${price} €`)],
    between: (print) => [print.row('REMISE IMMEDIATE', '-0,50 €')],
    foot: (total, print) => [
      print.row('TOTAL A PAYER', `${total} €`),
      print.row('CB', `${total} €`),
      'TVA 5,5%   HT 20,12   TVA 1,11',
      '  9 ARTICLES   01/12/26 12:41',
    ],
  },
  {
    name: 'fr, amounts below',
    language: 'fr',
    set: 'kept',
    columns: 38,
    currency: 'EUR',
    point: ',',
    head: ['          EPICERIE DU PORT', '      3 quai Vauban  29200 Brest', ''],
    product: ({ name, count, by, each, price }, print) =>
      by === 'kg'
        ? [print.row(name, `${price} A`), `     ${print.number(count, 3)} kg x ${each} EUR/kg`]
        : count > 1
          ? [print.row(name, `${price} A`), `     ${count} X ${each} EUR`]
          : [print.row(name, `${price} A`)],
    between: (print) => [print.row('CONSIGNE VERRE', '0,20 C'), print.row('AVANTAGE FIDELITE', '-0,35')],
    foot: (total, print) => [
      print.row('NET A PAYER EUR', total),
      print.row('CARTE BANCAIRE EUR', total),
      'NOMBRE D ARTICLES : 9',
      'MERCI DE VOTRE VISITE',
    ],
  },
  {
    name: 'es, counts first',
    language: 'es',
    set: 'tuned',
    columns: 40,
    currency: 'EUR',
    point: ',',
    head: [
      '          MERCADO CENTRAL, S.A.',
      '       C/ MAYOR 4, 46001 VALENCIA',
      '  01/12/2026 11:20  OP: 123456',
      '  Descripción        P. Unit   Importe',
    ],
    product: ({ name, count, by, each, price }, print) =>
      by === 'kg'
        ? [`1 ${name}`, print.row(`   ${print.number(count, 3)} kg   ${each} €/kg`, price)]
        : count > 1
          ? [print.row(`${count} ${name}`, `${each}    ${price}`)]
          : [print.row(`1 ${name}`, price)],
    between: (print) => [print.row('DESCUENTO SOCIO', '-0,20')],
    foot: (total, print) => [
      print.row('           TOTAL (€)', total),
      print.row('  TARJETA BANCARIA', total),
      '  IVA   BASE IMPONIBLE (€)   CUOTA (€)',
      '  4%       12,10               0,48',
    ],
  },
  {
    name: 'es, amounts below',
    language: 'es',
    set: 'kept',
    columns: 36,
    currency: 'EUR',
    point: ',',
    head: ['        ULTRAMARINOS PACO', '     AVDA. DEL SOL 22, SEVILLA', '   FACTURA SIMPLIFICADA', ''],
    product: ({ name, count, by, each, price }, print) =>
      by === 'kg'
        ? [print.row(name, `${price} A`), `   ${print.number(count, 3)} kg x ${each} €/kg`]
        : count > 1
          ? [print.row(name, `${price} A`), `   ${count} ud x ${each} €`]
          : [print.row(name, `${price} A`)],
    between: (print) => [print.row('DTO. CLUB 5%', '-0,12')],
    foot: (total, print) => [
      print.row('TOTAL A PAGAR', `${total} €`),
      print.row('EFECTIVO', total),
      print.row('CAMBIO', '0,00'),
      'GRACIAS POR SU VISITA',
    ],
  },
  {
    name: 'it, rates of tax',
    language: 'it',
    set: 'tuned',
    columns: 40,
    currency: 'EUR',
    point: ',',
    head: [
      '          ALIMENTARI ROSSI SRL',
      '       VIA ROMA 8 - 20121 MILANO',
      '         P.IVA 01234567890',
      '      DOCUMENTO COMMERCIALE',
      'DESCRIZIONE            IVA    Prezzo(€)',
    ],
    product: ({ name, count, by, each, price }, print) =>
      by === 'kg'
        ? [`  ${print.number(count, 3)} kg x ${each}`, print.row(name, `4,00%     ${price}`)]
        : count > 1
          ? [`  ${count} x ${each}`, print.row(name, `10,00%     ${price}`)]
          : [print.row(name, `10,00%     ${price}`)],
    between: (print) => [print.row('SCONTO FEDELTA', '10,00%    -0,40')],
    foot: (total, print) => [
      print.row('TOTALE COMPLESSIVO', total),
      print.row('di cui IVA', '1,20'),
      print.row('Pagamento elettronico', total),
      '  01-12-2026 17:55   DOC. N. 0123-0042',
    ],
  },
  {
    name: 'it, plain',
    language: 'it',
    set: 'kept',
    columns: 34,
    currency: 'EUR',
    point: ',',
    head: ['       BOTTEGA DEL CORSO', '    CORSO GARIBALDI 71, NAPOLI', '             EURO'],
    product: ({ name, count, by, each, price }, print) =>
      by === 'kg'
        ? [print.row(name, price), `  KG ${print.number(count, 3)} x ${each} €/KG`]
        : count > 1
          ? [`  ${count} PZ x ${each}`, print.row(name, price)]
          : [print.row(name, price)],
    between: (print) => [print.row('SCONTO 10%', '-0,25')],
    foot: (total, print) => [
      print.row('SUBTOTALE', total),
      print.row('TOTALE  EURO', total),
      print.row('CONTANTI', total),
      print.row('RESTO', '0,00'),
    ],
  },
];
