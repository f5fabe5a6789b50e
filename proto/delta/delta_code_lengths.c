// Lengths of the codes of delta snapshots, a letter each: 'a' is one bit. Printed by
// tests/bench/train_delta_codes.c, which has watched races.

#include "proto/delta/delta_private.h"

const char *const delta_code_lengths[DELTA_CODE_SETS][DELTA_GROUPS] = {
    {
        "johnhlinmokojohngliololojofodmgokokoiocnakdmiojokofndlfnkololoiogmhnjololoiognho"
        "jokohlfkfjfmhogk",
        "kjjiijkikihghijiihfdehihigdadgigihedfhihjihghijikjiiikkiihhhhhig",
        "igingdgniginnnnngdgndadngdgnnnnnigingdgniginnnnnljlnjginljlnnmnl",
        "nmnmkhkkljllnlnlkiljhfhhigiikikjnlnmkhkjljllnlnloooooooooooooooojhkjgehhkhkklklk"
        "gehgeaeehehhihiikhkjheghkikkmkmloooooooooooooooolilljhjjnmononomigjihehhljkklklj"
        "lilljhjjomomomnmoooooooooooooooomknmljllljllnlmlkhkkjgjjjhijkjkimjmmljllljlmnlmk"
        "oooooooooooooooo",
        "omoookonooooolnlokoonhnlolooogiiomoookomoooooknmooooolonooooomonojookfkkoiooojnl"
        "nfomhaiineonkfiiojookfkkoioooinloloomhlkoloookonokoojgkkojoonkomogomgbhimfomigki"
        "okoojgkkojonnjomomoomimlolooolononoonkolonoonlnlokookgmkojonjhlhomoonjomomoomkol"
        "omooojomonooolnl",
    },
    {
        "jnhnhmimjoinjnhmgmimjojniofmemgnjoimhncmakdmiogmjnfndlelioimkohnglgmjojmjoiohnhn"
        "jnimhkgkgkgkglfi",
        "jiihhhigiigffgighgfdeghghfdbdfhfhgedfghghgfghiigihhhiijggggfgggd",
        "hfhnfcfmhfhnnlmogegnebelgdfnmkmohfhnfcfmhfhonlnohfhkfdfkhfhkkjki",
        "llmkjhjjkikklkkjjikihfhgighhjhihmlmkjhjjkikklklkoooooooooooonnnnihjigeghjijjkijj"
        "gegfdbdegfgghghgihjihfggjijjkikinnnnnnnnnnnnnnnnjikjjhjimlmllklkhfhggeggkijjjijh"
        "jikjjhiimlmllklknnnnnnnnnnnnnnnnjikjkiljkikjjijihfihigigigighghgkikjlikjkikjjiji"
        "nnnnnnnnnnnnnmnk",
        "omooojolonooojmkojommhliokooogjholooojnlomooojmkomoonjnlonooojnlohnniejiohnonhmk"
        "nemlgbhgmeonkeihohoniejjohonnhlkojnmjfjioiomnhmkoioohfjjmhonlhnkofmmfbhhkeolifkh"
        "ojnnifjjnhnnlhmkojnnjgkininmmhmloloolinkoloomjnjokoojgmioioniglgokooliokokooliok"
        "okoolinjokoominj",
    },
    {
        "imhmhmhmimgkhlglgmhmimgkhmeldlfmhnglfmclbjdlgmfkhmeldlelgmgkinglflflhmgkinhmhmhm"
        "inglgkgkgkgkgkdg",
        "jihhghhgihhffghfhgfeefhfgfdcefgfhfedfghfhgffhhifhhghiijgfffffffc",
        "gfgjfdfigfgjjhjjgegjfdeigegjihijgfgjfdfjgfgjjijjfefgecdffdfggfgf",
        "lkljjhjijijjkjkijikhgfhghghhihigllljjijijijjkjkinnnnnnnnnnnnnnnlihjhhfhgjijijhih"
        "fegfecedgfgggfhfihihhfhgjijijijhnnnnnnnnnnnnnnnljijiihiimllkkjkihfhggfgfkjjiihig"
        "jhiiihiilllkkjkinnnnnnnnnnnnnnnliijhjikijijihgighghfigigigiggfgejhihkjjikikiighg"
        "mmnlnnnlmnmkjjkh",
        "omonoknkooooojlkojolmhliolooogjhomoonknkooooojlkoloonjmjomoooimkohnmiejinhoomglk"
        "nelkgbhgleomkeihohnmiejinhonmgkjnimmifjhnhnmmgljoioohekilgonkgmkofmmfchgkeolieki"
        "oioohejimgomkgmkojonifjhlhnmkglkolookiojoloolimiokoniglhniomigkgolookinjokoolinj"
        "ojookhmiojonlhmi",
    },
    {
        "moknikikkmlomojmgkhljnlomojoelekinkokohnakbkgnjomojneldkhnkonokohmgmjokonoloioho"
        "jolojoimglglimhl",
        "mlkjjkllmkihhjlkkifdfikkkhcachjjkifdfikkljhhikmklkjjklmlkjjiijki",
        "oooonkknnkknoooomiinhcdiicdinjjnliinhcchhcdhniinlhimheeiieeimiil",
        "nnnnnnnnnnnnnnnnnnnnnennnnnnnnnnnnnnndnnnnnnnnnnnnnnninnnnnnnnnnnnnnnknnnnnnnnnn"
        "nnnnnannnnnmmmmmmmmmmbmmmmmmmmmmmmmmmfmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmemmmmmmmmmm"
        "mmmmmdmmmmmmmmmmmmmmmhmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmgmmmmmmmmmmmmmmmgmmmmmmmmmm"
        "mmmmmkmmmmmmmmmm",
        "iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii"
        "iiiiiaiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii"
        "iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii"
        "iiiiiiiiiiiiiiih",
    },
};
