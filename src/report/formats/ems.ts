import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { EstimateLine } from '../../contract/assessment/lines.ts';
import type { Result } from '../../contract/result.ts';
import { VehiError } from '../../lib/errors.ts';
import { describeLine } from '../words.ts';
import { requireAssessment } from './lines.ts';

/**
 * Tables of CIECA's Estimate Management Standard, keyed by file extension. No conformance is claimed: field names, most
 * widths and the codes below are those that public programs read from exports of CCC, Mitchell and Audatex (including
 * the sample files of the npm package dbffile). Fields without data in a result are blank or omitted.
 */
const FIELDS = {
  veh: `IMPACT_1 C2, IMPACT_2 C30, DB_V_CODE C7, PLATE_NO C10, PLATE_ST C2, V_VIN C25, V_COND C2, V_PROD_DT C4,
    V_MODEL_YR C2, V_MAKECODE C12, V_MAKEDESC C20, V_MODEL C50, V_TYPE C2, V_BSTYLE C20, V_TRIMCODE C20, TRIM_COLOR C20,
    V_MLDGCODE C20, V_ENGINE C20, V_MILEAGE C6, V_COLOR C20, V_TONE N1.0, V_STAGE N1.0, PAINT_CD1 C15, PAINT_CD2 C15,
    PAINT_CD3 C15`,
  ad1: `INS_CO_NM C35, POLICY_NO C30, DED_AMT N9.2, CLM_NO C30, LOSS_DATE D8, LOSS_DESC C38, INSD_LN C35, INSD_FN C35,
    INSD_CO_NM C35, OWNR_LN C35, OWNR_FN C35, OWNR_CO_NM C35`,
  ad2: 'EST_CT_LN C35, EST_CT_FN C35, EST_FILENO C25, INSP_CT_LN C35, INSP_CT_FN C35, INSP_DATE D8',
  lin: `LINE_NO N3.0, LINE_IND C3, TRAN_CODE C1, UNQ_SEQ N4.0, LINE_DESC C40, PART_TYPE C4, PART_DES_J L1, OEM_PARTNO C25,
    DB_PRICE N9.2, ACT_PRICE N9.2, PRICE_J L1, PRICE_INC L1, PART_QTY N3.0, TAX_PART L1, MOD_LBR_TY C4, MOD_LB_HRS N5.1,
    LBR_INC L1, LBR_OP C4, LBR_HRS_J L1, LBR_TYP_J L1, LBR_OP_J L1, LBR_TAX L1, MISC_AMT N9.2, MISC_SUBLT L1, MISC_TAX L1`,
  stl: 'TTL_TYPE C2, TTL_TYPECD C4, T_AMT N9.2, T_HRS N6.1, TTL_AMT N9.2, TTL_HRS N6.1',
  ttl: 'G_TTL_AMT N9.2, G_DED_AMT N9.2, G_CUST_AMT N9.2, N_TTL_AMT N9.2, G_TAX N9.2',
  // The envelope is written last, because programs that watch a folder start with it.
  env: `EST_SYSTEM C1, SW_VERSION C10, DB_VERSION C12, DB_DATE D8, UNQFILE_ID C8, RO_ID C8, ESTFILE_ID C38, SUPP_NO C3,
    EST_CTRY C3, TOP_SECRET C80, H_TRANS_ID C9, H_CTRL_NO C9, TRANS_TYPE C1, STATUS L1, CREATE_DT D8, CREATE_TM C6,
    TRANSMT_DT D8, TRANSMT_TM C6, INCL_ADMIN L1, INCL_VEH L1, INCL_EST L1, INCL_PROFL L1, INCL_TOTAL L1, INCL_VENDR L1,
    EMS_VER C5`,
} as const;
type Table = keyof typeof FIELDS;
type Row = Readonly<Record<string, string | number | boolean | undefined>>;

const LABOR: Readonly<Record<EstimateLine['department'], string>> = {
  body: 'LAB',
  refinish: 'LAR',
  mechanical: 'LAM',
  structural: 'LAS',
  glass: 'LAG',
  pdr: 'LAU',
  aluminium: 'LA1',
};
const OPERATION: Partial<Record<EstimateLine['operation'], string>> = {
  'R&R': 'OP11',
  'R&I': 'OP2',
  Rpr: 'OP9',
  Algn: 'OP4',
  Blnd: 'OP15',
  Subl: 'OP16',
};
/** A manual entry; also used for operations without a code above. */
const MANUAL = 'OP0';
const PART: Partial<Record<NonNullable<EstimateLine['part_source']>, string>> = {
  oem: 'PAN',
  aftermarket: 'PAA',
  recycled: 'PAL',
};

/**
 * Converts an estimate to tables for import into desktop estimating programs, keyed by file extension. The lines are
 * manual entries, without references to a parts database.
 * @throws VehiError usage without an estimate, or for an amount that exceeds a field's width
 */
export function makeEmsTables(input: Result): ReadonlyMap<string, Uint8Array> {
  const assessment = requireAssessment(input, 'ems');
  const { data } = assessment;
  const { adjusted_total: net, gross_total: gross = net.estimated, tax } = data.summary.repair_cost_summary;
  const { estimate, vehicle, claim = {} } = data;
  const date = data.created_at.slice(0, 10).replaceAll('-', '');
  const lines = estimate.lines.filter((line) => line.counted_in === 'total');
  const rows: Readonly<Record<Table, readonly Row[]>> = {
    veh: [describeVehicle(vehicle)],
    ad1: [
      {
        POLICY_NO: claim.policy_number,
        CLM_NO: claim.claim_number,
        LOSS_DATE: claim.loss_date?.replaceAll('-', ''),
        LOSS_DESC: claim.loss_kind,
        INSD_LN: claim.insured,
      },
    ],
    ad2: [
      {
        EST_CT_LN: claim.inspector,
        EST_FILENO: data.vehicle_id,
        INSP_CT_LN: claim.inspector,
        INSP_DATE: date,
      },
    ],
    lin: lines
      .filter((line) => line.group !== 'materials')
      .map((line, i) => describeLineRow(line, i + 1, estimate.version)),
    stl: listSubtotals(lines),
    ttl: [{ G_TTL_AMT: gross, N_TTL_AMT: gross, G_TAX: tax?.amount }],
    env: [describeEnvelope(assessment, date)],
  };
  return new Map(
    (Object.keys(FIELDS) as Table[]).map((table) => [`.${table}`, writeTable(table, rows[table], date)]),
  );
}

const describeVehicle = (vehicle: AssessmentEnvelope['data']['vehicle']): Row => ({
  PLATE_NO: vehicle.plate,
  V_VIN: vehicle.vin,
  V_MODEL_YR: vehicle.year === undefined ? undefined : String(vehicle.year).slice(-2),
  V_MAKEDESC: vehicle.make,
  V_MODEL: vehicle.model,
  V_BSTYLE: vehicle.body,
  V_MILEAGE: vehicle.odometer === undefined ? undefined : String(Math.round(vehicle.odometer.value)),
  V_STAGE: vehicle.paint === 'three_stage' ? 3 : undefined,
  PAINT_CD1: vehicle.paint_code,
});

const describeEnvelope = ({ data, meta }: AssessmentEnvelope, date: string): Row => ({
  SW_VERSION: meta.software_version,
  DB_DATE: date,
  UNQFILE_ID: data.assessment_id.replaceAll(/[^a-z0-9]/gi, '').slice(-8),
  ESTFILE_ID: data.assessment_id,
  SUPP_NO: data.estimate.version,
  EST_CTRY: data.region.code.startsWith('US_') ? 'USA' : undefined,
  TRANS_TYPE: 'E',
  STATUS: false,
  CREATE_DT: date,
  CREATE_TM: data.created_at.slice(11, 19).replaceAll(':', ''),
  INCL_ADMIN: true,
  INCL_VEH: true,
  INCL_EST: true,
  INCL_PROFL: false,
  INCL_TOTAL: true,
  INCL_VENDR: false,
  EMS_VER: '2.01',
});

function describeLineRow(line: EstimateLine, number: number, version: string): Row {
  const { operation, hours, labor, rate_per_hour: rate, price, amount } = line;
  const judged = line.basis === 'judgement' || line.set_by === 'person';
  const byTheHour = hours > 0 && rate !== null;
  const part = PART[line.part_source ?? 'consumable'];
  const bought = part !== undefined && price !== null;
  // The remainder: fixed-price labor, sublet work, consumables, fees, rounding.
  const misc = Math.round((amount - (byTheHour ? labor : 0) - (bought ? price : 0)) * 100) / 100;
  return {
    LINE_NO: number,
    LINE_IND: version,
    TRAN_CODE: '1',
    UNQ_SEQ: number,
    LINE_DESC: OPERATION[operation] === undefined ? `${operation} ${describeLine(line)}` : describeLine(line),
    PART_TYPE: bought ? part : price === null ? undefined : line.tax_class === 'sublet' ? 'PAS' : 'PAO',
    PART_DES_J: true,
    ACT_PRICE: bought ? price : undefined,
    PRICE_J: bought ? true : undefined,
    PART_QTY: bought ? 1 : undefined,
    TAX_PART: bought ? line.taxable > 0 : undefined,
    MOD_LBR_TY: byTheHour ? LABOR[line.department] : undefined,
    MOD_LB_HRS: byTheHour ? hours : undefined,
    LBR_OP: OPERATION[operation] ?? MANUAL,
    LBR_HRS_J: byTheHour ? judged : undefined,
    LBR_TAX: byTheHour ? line.taxable >= amount : undefined,
    MISC_AMT: misc === 0 ? undefined : misc,
    MISC_SUBLT: misc === 0 ? undefined : line.tax_class === 'sublet',
    MISC_TAX: misc === 0 ? undefined : line.taxable > 0,
  };
}

/** Sums hours and amounts by labor, part and material type and by family; they add up to the net total. */
function listSubtotals(lines: readonly EstimateLine[]): readonly Row[] {
  const sums = new Map<string, { cents: number; tenths: number }>();
  const add = (codes: readonly string[], amount: number, hours = 0) => {
    for (const code of codes) {
      const { cents = 0, tenths = 0 } = sums.get(code) ?? {};
      sums.set(code, { cents: cents + Math.round(amount * 100), tenths: tenths + Math.round(hours * 10) });
    }
  };
  for (const line of lines) {
    const labor = line.labor;
    if (labor !== 0 || line.hours > 0) add([LABOR[line.department], 'LAT'], labor, line.hours);
    const goods = Math.round((line.amount - labor) * 100) / 100;
    if (goods === 0) continue;
    if (line.group === 'materials') add(['MAPA', 'MAT'], goods);
    else if (line.tax_class === 'sublet') add(['PAS', 'PAT'], goods);
    else add([PART[line.part_source ?? 'consumable'] ?? 'PAO', 'PAT'], goods);
  }
  return [...sums].map(([code, { cents, tenths }]) => ({
    TTL_TYPE: code.slice(0, 2),
    TTL_TYPECD: code,
    T_AMT: cents / 100,
    T_HRS: code.startsWith('LA') ? tenths / 10 : undefined,
    TTL_AMT: cents / 100,
    TTL_HRS: code.startsWith('LA') ? tenths / 10 : undefined,
  }));
}

/** Encodes a dBase III table in Latin 1; `date` is the date of the estimate, as in the tables. */
function writeTable(table: Table, rows: readonly Row[], date: string): Uint8Array {
  const fields = FIELDS[table].split(/,\s*/).map((text) => {
    const [, name = '', type = 'C', width = '1', decimals = '0'] =
      /^(\w+) ([CDLN])(\d+)(?:\.(\d))?$/.exec(text) ?? [];
    return { name, type, width: Number(width), decimals: Number(decimals) };
  });
  const headerBytes = 32 + 32 * fields.length + 1;
  const rowBytes = 1 + fields.reduce((sum, { width }) => sum + width, 0);
  const header = Buffer.alloc(headerBytes);
  header.set([3, Number(date.slice(0, 4)) - 1900, Number(date.slice(4, 6)), Number(date.slice(6, 8))]);
  header.writeUInt32LE(rows.length, 4);
  header.writeUInt16LE(headerBytes, 8);
  header.writeUInt16LE(rowBytes, 10);
  for (const [i, { name, type, width, decimals }] of fields.entries()) {
    const at = 32 + 32 * i;
    header.write(name + type.padStart(12 - name.length, '\0'), at, 'latin1');
    header.set([width, decimals], at + 16);
  }
  header[headerBytes - 1] = 0x0d;
  const body = rows.map((row) =>
    fields.map(({ name, width, decimals }) => writeCell(row[name], width, decimals, name)).join(''),
  );
  return Buffer.concat([header, Buffer.from(`${body.map((row) => ` ${row}`).join('')}\x1a`, 'latin1')]);
}

function writeCell(value: Row[string], width: number, decimals: number, name: string): string {
  if (typeof value === 'boolean') return value ? 'T' : 'F';
  if (typeof value === 'number') {
    const text = value.toFixed(decimals);
    if (text.length <= width) return text.padStart(width);
    throw new VehiError(
      'usage',
      'EMS_TOO_LARGE',
      `ems: ${text} does not fit into ${name}, ${width} characters.`,
      {
        hint: 'Write the lines instead: --output estimate.lines.csv.',
      },
    );
  }
  const latin = [...(value ?? '').normalize('NFC')].map((one) =>
    /[\x20-\x7e\xa0-\xff]/.test(one) ? one : '?',
  );
  return latin.slice(0, width).join('').padEnd(width);
}
