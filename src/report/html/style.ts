import { LOOKS } from '../../domain/looks.ts';
import { COLOR } from '../palette.ts';
import { PLAN_STYLE } from '../plan/shapes.ts';

/** The repair table of the answer on a phone; with six columns it is the estimate's, stacked as any other. */
const ANSWER_TABLE = '.repair .stack:not(:has(td:nth-child(6)))';

/** The colors of a light screen. */
const LIGHT = (['ink', 'soft', 'rule', 'band', 'accent'] as const)
  .map((role) => `--${role}:${COLOR[role]}`)
  .join(';');

/** The rules of each severity and of a place to check. */
const LOOK_RULES = Object.entries(LOOKS)
  .map(
    ([look, { fill, text }]) =>
      `.chip.${look}{background:${fill};color:${text}}.box.${look} .edge,.mark.${look} .edge{stroke:${fill}}
.box.${look} .tag{fill:${fill}}.box.${look} text{fill:${text}}`,
  )
  .join('\n');

/** Style sheet of the report: light and dark themes, screen and print. */
export const STYLE_SHEET = `
:root{color-scheme:light dark;${LIGHT};--page:${COLOR.white};--focus:#0b66d6;--mark:#fff3b0}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#a5b0bf;--rule:#39424f;--band:#1f2630;--page:#12161c;
--accent:#8fc0f5;--focus:#79b8ff;--mark:#4a4117}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main,header{max-width:1080px;margin:0 auto;padding:0 20px}
h1{color:var(--accent);font-size:1.9rem;line-height:1.2;margin:28px 0 4px;overflow-wrap:anywhere}
h2{color:var(--accent);font-size:1.25rem;border-bottom:2px solid var(--accent);padding-bottom:4px;margin:36px 0 12px}
h3{font-size:1rem;margin:22px 0 6px;overflow-wrap:anywhere}
p{margin:0 0 8px;overflow-wrap:anywhere}
.soft,figcaption,.note td{color:var(--soft);font-size:.88rem}
.strong{font-weight:700}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--page);padding:8px;z-index:5}
.bar{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;position:sticky;top:0;background:var(--page);border-bottom:1px solid var(--rule);padding:8px 20px;z-index:2;max-width:1080px;margin:0 auto}
.bar fieldset{border:0;padding:0;margin:0;display:flex;flex-wrap:wrap;gap:4px 14px}
.bar legend{float:left;margin-right:10px;color:var(--soft)}
.bar button,dialog button{font:inherit;color:inherit;background:var(--band);border:1px solid var(--rule);border-radius:6px;padding:4px 12px;cursor:pointer}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:2px 28px;background:var(--band);border-radius:8px;padding:12px 16px;margin:12px 0}
.facts div{display:flex;gap:12px}.facts dt{flex:0 0 7.2rem;color:var(--soft)}.facts dd{margin:0;overflow-wrap:anywhere;min-width:0}
.boxes{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:6px 26px}
.boxes li::before{content:'';display:inline-block;width:.8em;height:.8em;border:1.5px solid var(--ink);margin-right:.5em}
.lines{display:grid;grid-template-columns:1fr 1fr 1fr;gap:44px 24px;padding-top:30px;margin-bottom:40px}
.lines div{border-top:1px solid var(--soft);color:var(--soft);font-size:.85rem}.lines div:first-child{grid-column:1/-1}
.figures{display:flex;flex-wrap:wrap;gap:8px 28px;background:var(--band);border-radius:8px;padding:12px 16px;margin:16px 0}.figures div{flex:1 1 200px}
.figures dt,.figures dd+dd{color:var(--soft);font-size:.88rem}.figures dd{margin:0}.figures dt+dd{font-size:1.5rem;line-height:1.25;font-weight:700}
.answer{display:grid;grid-template-columns:1fr minmax(0,330px);gap:20px 32px;align-items:start;margin-top:16px}
.answer:not(:has(.plan)){grid-template-columns:minmax(0,1fr)}.answer .repair{min-width:0}.repair td:first-child{white-space:nowrap}
@media (max-width:900px){.answer{grid-template-columns:minmax(0,1fr)}}
.s-first h2:not([id]){font-size:1rem;color:var(--ink);border:0;padding:0;margin:18px 0 6px}
.crops{display:grid;grid-template-columns:repeat(auto-fill,minmax(110px,1fr));gap:10px}.crops.worst{grid-template-columns:repeat(4,1fr)}
.crops .crop{width:100%;height:auto;aspect-ratio:4/3}.crops img{display:block;width:100%;height:100%;object-fit:cover;border-radius:4px}
.crops figcaption{line-height:1.3}
@media (max-width:620px){.crops,.crops.worst{grid-template-columns:repeat(2,1fr)}}
.plan{display:grid;gap:6px;max-width:560px}.plan svg{display:block;width:100%;height:auto}
.plan .outline{stroke:${PLAN_STYLE.outline};stroke-width:1;stroke-linejoin:round}.plan .hit{stroke:${COLOR.ink}}
svg text{font-family:inherit;font-weight:700}
.chip{display:inline-block;border-radius:4px;padding:0 8px;font-size:.8rem;font-weight:700;line-height:1.5;white-space:nowrap}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:0 0 14px;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:5px 8px;border-bottom:1px solid var(--rule)}
td.breakable{overflow-wrap:anywhere}
thead th{background:var(--band);color:var(--accent)}
th.right,td.right{text-align:right}td.right{white-space:nowrap}
td.small{font-size:.72rem;color:var(--soft)}
tr.strong td{font-weight:700}tr.has-note td{border-bottom:0}tr.note td{padding-top:0}
.card.current{background:var(--mark)}
figure{margin:0 0 8px}
@media screen and (max-width:620px){
table.stack,.stack tbody{display:block}.stack thead{display:none}
.stack tr{display:flex;flex-wrap:wrap;gap:0 14px;padding:7px 0;border-bottom:1px solid var(--rule)}.stack tr.has-note{border-bottom:0}
.stack tr.note{padding:0 0 7px}
.stack td{border:0;padding:0 2px;text-align:left;white-space:normal}.stack tr:not(.note) td:not([data-label]){display:none}
.stack td[data-label]::before{content:attr(data-label) " ";color:var(--soft);font-weight:400;font-size:.82rem}
${ANSWER_TABLE} td{order:1}${ANSWER_TABLE} tr:not(.note) td:nth-child(2),${ANSWER_TABLE}
 .strong td:nth-child(4){order:0;flex:1 0 calc(100% - 104px);font-weight:700}${ANSWER_TABLE}
 td:nth-child(5){order:0;flex:0 0 90px;text-align:right;font-weight:700}${ANSWER_TABLE} td[data-label]::before{content:none}${ANSWER_TABLE}
 td:first-child[data-label]::before{content:attr(data-label) " "}
}
.photo{position:relative;width:fit-content;max-width:min(100%,900px)}
.photo img{display:block;width:auto;height:auto;max-width:100%;max-height:640px;border-radius:4px}
.photo svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible;pointer-events:none}
.box{cursor:pointer;pointer-events:auto}.box rect{fill:transparent;vector-effect:non-scaling-stroke}.box .halo{stroke:#fff;stroke-width:5}
.box .edge{stroke-width:3}
.box.current .edge{stroke-width:6}.box:focus{outline:none}.box:focus .halo{stroke:var(--focus);stroke-width:9}
.shots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,440px),1fr));gap:4px 26px}.shot h3{margin-top:14px}.defs{position:absolute}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,330px),1fr));gap:10px;margin:8px 0 20px;padding:0;list-style:none}
.card{display:grid;grid-template-columns:140px 1fr;gap:12px;border:1px solid var(--rule);border-radius:8px;padding:8px}
.card img{width:140px;height:105px;object-fit:cover;border-radius:4px;background:var(--band)}
.crop{position:relative;width:140px;height:105px}.mark{position:absolute;inset:0;width:100%;height:100%;border-radius:4px}
.mark rect{fill:none;vector-effect:non-scaling-stroke}.mark .halo{stroke:#fff;stroke-width:4}.mark .edge{stroke-width:2}
.card h4{margin:0 0 2px;font-size:.95rem}.card ul{list-style:none;margin:4px 0 0;padding:0;font-size:.85rem}
.grid{display:grid;grid-template-columns:repeat(auto-fill,min(200px,50% - 6px));gap:12px}.grid img{width:100%;height:auto;max-height:220px;object-fit:contain}
.zoom{border:0;padding:0;background:none;cursor:zoom-in;display:block;width:100%}
[hidden]{display:none!important}
dialog{border:0;padding:0;width:100vw;height:100vh;max-width:none;max-height:none;background:#0d1014;color:#e6eaf0}
dialog button{position:fixed;top:10px;left:10px;z-index:1;background:#242b35;border-color:#444e5b;color:#e6eaf0}
.stage .photo{position:relative;width:max-content;max-width:none}.stage .photo img{max-width:none;max-height:none}
${LOOK_RULES}
.box.to_check .edge,.mark.to_check .edge{stroke-dasharray:9 7}
.box.to_check .halo,.mark.to_check .halo{stroke:${COLOR.ink};stroke-width:3}.mark.to_check .halo{stroke-width:2}
.card.to_check{border-style:dashed}.plan .check{stroke-dasharray:5 3;stroke-width:2}
@media print{
:root{color-scheme:light;--mark:#fff}
.bar,.skip,dialog{display:none!important}
body{font-size:10.5pt}.chip{font-size:.85em}main,header{max-width:none;padding:0}
.chip,thead th,.plan,.box,.mark{-webkit-print-color-adjust:exact;print-color-adjust:exact}
thead{display:table-header-group}tr,.card,figure,.answer{break-inside:avoid}h2,h3,h3+p,tr.has-note,tr.strong{break-after:avoid}h3+p{break-inside:avoid}
.scroll{overflow:visible}table{font-size:.84em}.note td{font-size:1em}th,td{padding:4px}th.right,td.right{white-space:normal}
.facts{grid-template-columns:1fr 1fr;font-size:.9em;padding:8px 12px}.facts dt{flex-basis:5.6rem}
h1{font-size:1.6rem;margin-top:0}h2{margin-top:24px}.s-decision{break-inside:avoid;break-after:page}.s-decision h2{margin:6px 0}
.boxes{margin:0;font-size:.9em;gap:4px 18px}.lines{gap:26px 24px;padding-top:18px;margin-bottom:12px}.answer{grid-template-columns:1fr 52mm;gap:5mm}
.answer table{font-size:.74em;margin:0}.answer th,.answer td{padding:2px 4px;line-height:1.35}.plan{gap:0}.s-first h2:not([id]){margin:6px 0 3px}
.s-first .soft,.s-first figcaption,.figures dt,.figures dd+dd{font-size:.74em;line-height:1.3}.figures{flex-wrap:nowrap;margin:6px 0;padding:4px 0}
.figures dt+dd{font-size:1.25rem;white-space:nowrap}.crops{gap:6px;grid-template-columns:repeat(8,1fr)}.crops.worst{grid-template-columns:repeat(4,1fr)}
.crops.worst .crop{aspect-ratio:8/5}.crops figure{margin:0 0 3px}
.photo{max-width:66mm}.photo img{max-height:66mm}.shots{grid-template-columns:1fr 1fr;gap:0 20px}.shot ul,.shot h4,.shot .chip{font-size:.78em}
.shot .cards{margin:4px 0 8px}.shot{break-inside:avoid}.card{grid-template-columns:100px 1fr}.card img,.crop{width:100px;height:75px}
}
@page{margin:16mm 14mm}
`;
